// One game, move by move.

const loaded = new Map(); // the games that were loaded last, by number
const GAMES_KEPT = 20; // so many of them: one may have 2 MB

/** Keep a game; the file of each game calls this. */
globalThis.gameLoaded = (number, replay) => {
  loaded.set(number, replay);
  if (loaded.size > GAMES_KEPT) loaded.delete(loaded.keys().next().value);
};

/** All that is known of a game; its file is loaded when it is first wanted. */
async function replayOf(number) {
  if (!loaded.has(number)) await loadScript(`games/${number}.js`);
  return loaded.get(number);
}

function loadScript(src) {
  return new Promise((resolve, reject) => {
    const failed = () => reject(new Error(`${src} cannot be read: it belongs beside this page, in its folder.`));
    const script = el("script", { src, load: resolve, error: failed });
    script.addEventListener("load", () => script.remove());
    document.head.append(script);
  });
}

const PLAY_MILLISECONDS = 800; // a move, while the game plays by itself

class Replayer {
  /** `list` knows which games come before and after. */
  constructor(report, list) {
    Object.assign(this, { report, list, dialog: byId("replayer"), ply: 0, timer: null });
    const steps = { "ply-first": () => 0, "ply-back": () => this.ply - 1, "ply-next": () => this.ply + 1, "ply-last": () => this.last };
    for (const [id, target] of Object.entries(steps)) byId(id).addEventListener("click", () => this.show(target()));
    byId("ply-play").addEventListener("click", () => this.togglePlaying());
    byId("ply").addEventListener("input", (event) => this.show(Number(event.target.value)));
    byId("game-before").addEventListener("click", () => this.neighbour(-1));
    byId("game-after").addEventListener("click", () => this.neighbour(1));
    byId("game-close").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("keydown", (event) => this.key(event));
    this.dialog.addEventListener("click", (event) => this.click(event));
    this.dialog.addEventListener("close", () => this.closed());
    addEventListener("resize", () => this.dialog.open && this.replay && this.drawValues());
  }

  get last() {
    return this.replay.problem ? 0 : this.replay.moves.length;
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (!this.replay || event.target.closest("pre")) return; // the keys scroll a `pre`
    const targets = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.last };
    const plays = event.key === " " && !event.repeat && !event.target.closest("button, summary"); // the key presses these
    if (!plays && !(event.key in targets)) return;
    event.preventDefault();
    if (plays) this.togglePlaying();
    else this.show(targets[event.key]);
  }

  /** A click outside of the content closes the dialog. After a click on a button, the keys belong to the game again. */
  click(event) {
    if (event.target === this.dialog) this.dialog.close();
    else if (event.detail > 0 && event.target.closest("button")) byId("game-title").focus();
  }

  closed() {
    this.pause();
    changeAddress({ game: "", move: "" });
  }

  /** Show a game as soon as its file is loaded, unless another game is wanted by then. */
  async open(game, ply) {
    this.pause();
    [this.game, this.replay] = [game, null];
    byId("game-title").textContent = `Game ${game.number}, round ${game.round}${game.counts ? "" : ", does not count"}`;
    if (!this.dialog.open) this.dialog.showModal();
    byId("game-title").focus();
    this.neighbours();
    this.dialog.ariaBusy = "true";
    byId("stage").hidden = true;
    byId("unread").textContent = "";
    const [replay, problem] = await replayOf(game.number).then((read) => [read, ""], (error) => [null, error.message]);
    if (this.game !== game) return;
    this.dialog.ariaBusy = null;
    byId("unread").textContent = problem;
    if (replay && this.dialog.open) this.fill(replay, ply);
  }

  fill(replay, ply) {
    const { game } = this;
    this.replay = replay;
    byId("stage").hidden = false;
    byId("ply").max = this.last;
    this.moveButtons = [];
    byId("moves").replaceChildren(...this.replay.moves.map((_, i) => this.moveItem(i + 1)));
    this.drawVerdict();
    const facts = {
      opening: counted(this.replay.opening, "move"), began: this.replay.date || "unknown", seed: `${this.replay.seed}`, pair: `${game.pair}`,
    };
    byId("game-facts").replaceChildren(...Object.entries(facts).flatMap(([name, value]) => fact(name, value)));
    this.show(ply);
  }

  // --- Games before and after, in the list as it is filtered ---

  neighbours() {
    const at = this.list.chosen.indexOf(this.game);
    this.allow(byId("game-before"), at > 0);
    this.allow(byId("game-after"), at >= 0 && at < this.list.chosen.length - 1);
  }

  neighbour(step) {
    this.open(this.list.chosen[this.list.chosen.indexOf(this.game) + step], 0);
  }

  // --- Playing by itself ---

  /** Show one move after the other, from the start if the end is shown; if that runs already, stop it. */
  togglePlaying() {
    if (this.timer !== null) return this.pause();
    if (this.ply >= this.last) this.show(0);
    this.timer = setInterval(() => this.advance(), PLAY_MILLISECONDS);
    this.drawPlaying();
  }

  advance() {
    this.draw(this.ply + 1);
    if (this.ply >= this.last) this.pause();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.drawPlaying();
  }

  drawPlaying() {
    const isPlaying = this.timer !== null;
    byId("ply-play").textContent = isPlaying ? "⏸\ufe0e" : "▶\ufe0e"; // as characters, not as coloured pictures
    byId("ply-play").setAttribute("aria-label", isPlaying ? "Pause" : "Play by itself");
  }

  // --- Moves in words ---

  name(player) {
    return this.report.agents[player === 0 ? this.game.first : this.game.second].name;
  }

  /** The move that led to `ply`: who made it, its text, and (not in the opening) what the referee recorded of it. */
  move(ply) {
    const { replay } = this;
    const index = ply - 1 - replay.opening;
    const player = replay.players ? Number(replay.players[ply - 1]) : null;
    const about = { text: replay.moves[ply - 1], player, isOpening: index < 0 };
    if (index < 0) return about;
    const more = { seconds: replay.seconds[index], memory: replay.memory[index], value: replay.values[index] };
    return { ...about, ...more, proven: replay.proven[index], late: replay.late[index] };
  }

  moveItem(ply) {
    const move = this.move(ply);
    const time = move.isOpening ? "opening" : seconds(move.seconds);
    const stone = move.player === null ? "" : stoneOf(this.report.board, move.player);
    const button = el(
      "button",
      { type: "button", click: () => this.show(ply) },
      el("span", { class: "soft" }, `${ply}.`), el("span", {}, stone, move.text),
      el("span", { class: move.late === undefined ? "soft" : "bad" }, move.late === undefined ? time : `late ${time}`),
    );
    this.moveButtons.push(button);
    return el("li", {}, button);
  }

  /** The position after `ply` moves, in a sentence. */
  label(ply) {
    if (this.replay.problem) return "";
    if (ply === 0) return `The start of the game, of ${counted(this.last, "move")}.`;
    const { text, player, isOpening } = this.move(ply);
    return `Move ${ply} of ${this.last}: ${text}, ${isOpening ? "of the opening" : `by ${this.name(player)}`}.`;
  }

  // --- Showing a position ---

  /** Go to a position that a person has chosen; the game does not go on by itself any more. */
  show(wanted) {
    this.pause();
    this.draw(wanted);
  }

  draw(wanted) {
    this.ply = Math.max(0, Math.min(this.last, wanted));
    const { ply } = this;
    byId("board").replaceChildren(drawBoard(this.report.board, this.replay, ply, this.label(ply)));
    byId("ply").value = ply;
    byId("ply").setAttribute("aria-valuetext", this.label(ply));
    for (const id of ["ply-first", "ply-back"]) this.allow(byId(id), ply > 0);
    this.allow(byId("ply-play"), this.last > 0);
    for (const id of ["ply-next", "ply-last"]) this.allow(byId(id), ply < this.last);
    byId("now").replaceChildren(...this.sentences(ply));
    this.markMove(ply);
    this.drawPlayers(ply);
    this.drawValues();
    changeAddress({ game: this.game.number, move: ply }, true);
  }

  /** Enable or disable a button. A disabled button must not keep the focus, because it would keep the keys, too. */
  allow(button, enabled) {
    if (!enabled && document.activeElement === button) byId("game-title").focus();
    button.disabled = !enabled;
  }

  sentences(ply) {
    const parts = [el("strong", {}, this.label(ply))];
    if (ply === 0) return parts;
    const move = this.move(ply);
    if (!move.isOpening) {
      const value = move.value === null ? "" : `, its own value ${move.value.toFixed(2)}`;
      const proven = move.proven ? `, proven ${move.proven}` : "";
      parts.push(` ${seconds(move.seconds)}, ${move.memory} MB${value}${proven}.`);
    }
    const captures = this.replay.captures?.[ply];
    if (captures) parts.push(` Captured: black ${captures[0]}, white ${captures[1]}.`);
    const { won } = this.replay;
    if (won?.length && ply === this.last) parts.push(` In a row: ${cellNames(this.report.board, won)}.`);
    if (move.late !== undefined) {
      parts.push(el("span", { class: "bad" }, ` Late: ${move.late || "nothing"} was answered, a random move was played.`));
    }
    return parts;
  }

  markMove(ply) {
    const [box, button] = [byId("moves"), this.moveButtons[ply - 1]];
    box.querySelector("[aria-current]")?.removeAttribute("aria-current");
    button?.setAttribute("aria-current", "true");
    box.scrollTop = button ? button.offsetTop - box.clientHeight / 2 : 0;
  }

  /** Each player with the figures of its last move by then. */
  drawPlayers(ply) {
    const figures = [null, null];
    for (let at = this.replay.opening + 1; at <= ply; at++) figures[this.move(at).player] = this.move(at);
    const toMove = this.replay.players?.[ply];
    byId("players").replaceChildren(
      ...[0, 1].map((player) => {
        const move = figures[player];
        const agent = player === 0 ? this.game.first : this.game.second;
        const figure = move ? `${seconds(move.seconds)} · ${move.memory} MB${move.value === null ? "" : ` · ${move.value.toFixed(2)}`}` : "";
        const colour = ` (${this.report.game.players[player]})`;
        return el(
          "div",
          { class: `player${toMove === `${player}` ? " turn" : ""}` },
          el("span", { class: "name" }, stoneOf(this.report.board, player),
            el("span", { class: agent === this.game.winner ? "won" : "" }, this.name(player)), el("span", { class: "soft" }, colour)),
          el("span", { class: "figures" }, figure),
        );
      }),
    );
  }

  drawVerdict() {
    const isFault = this.report.faults.includes(this.game.reason);
    const logs = this.replay.logs.map((text, player) => foldedText(`What ${this.name(player)} wrote`, text));
    const wires = this.replay.transcripts.map((text, player) => foldedText(`GTP to and from ${this.name(player)}`, text));
    byId("verdict").replaceChildren(
      el("p", { class: isFault ? "bad" : "" }, `${this.game.result} · ${this.replay.verdict}${isFault ? ` (${this.game.reason})` : ""}`),
      ...[...logs, ...wires].filter((text) => text !== null),
    );
  }

  drawValues() {
    const box = byId("spark");
    const plot = this.replay.problem ? null : valuePlot(this.replay, this.ply, box.clientWidth);
    const title = el("h3", {}, "The agents' own values, 0 to 1");
    box.replaceChildren(...(plot ? [title, plotKeys([this.name(0), this.name(1)]), plot] : []));
  }
}
