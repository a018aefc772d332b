// The list of games, with filters; rows are made when they are to be seen.

const GAMES_SHOWN = 50;

/** Games as objects, by the names of the columns. */
function gamesOf(report) {
  return report.games.map((row) => Object.fromEntries(report.columns.map((name, i) => [name, row[i]])));
}

class GameList {
  constructor(report, games, open) {
    Object.assign(this, { report, games, open, shown: 0, chosen: games });
    this.agent = this.select("Agent", this.agentOptions("any"));
    this.opponent = this.select("Against", this.agentOptions("any"));
    this.ended = this.select("Ended", this.endOptions());
    this.count = el("p", { class: "note", role: "status" });
    this.box = el("div", {});
    this.more = el("button", { type: "button", click: () => this.showMore() }, "Show more games");
    this.filter();
  }

  element() {
    const filters = el("div", { class: "filters" }, ...[this.agent, this.opponent, this.ended].map((select) => select.parentElement));
    return section("games", "Games", filters, this.count, this.box, this.more);
  }

  select(label, options) {
    const select = el("select", { change: () => this.filter() }, ...options.map(([value, text]) => el("option", { value }, text)));
    el("label", {}, label, select);
    return select;
  }

  agentOptions(any) {
    const played = new Set(this.games.flatMap((game) => [game.first, game.second]));
    return [["", any], ...[...played].sort((a, b) => a - b).map((agent) => [agent, this.report.agents[agent].name])];
  }

  endOptions() {
    const reasons = [...new Set(this.games.map((game) => game.reason))].sort();
    const faults = reasons.some((reason) => this.report.faults.includes(reason)) ? [["faults", "by any violation"]] : [];
    const late = this.games.some((game) => game.late) ? [["late", "with late moves"]] : [];
    const word = (reason) => ({ normal: "normally", void: "void" })[reason] ?? `by ${reason}`;
    return [["", "in any way"], ...faults, ...late, ...reasons.map((reason) => [`=${reason}`, word(reason)])];
  }

  /** Show the games of two agents. */
  choose(agent, opponent) {
    [this.agent.value, this.opponent.value, this.ended.value] = [agent, opponent, ""];
    this.filter();
    byId("games").scrollIntoView();
    this.agent.focus({ preventScroll: true });
  }

  filter() {
    const plays = (game, agent) => agent === "" || game.first === Number(agent) || game.second === Number(agent);
    const ended = this.ended.value;
    const endsSo = (game) =>
      ended === "" || ended === `=${game.reason}` || (ended === "late" && game.late > 0) ||
      (ended === "faults" && this.report.faults.includes(game.reason));
    this.chosen = this.games.filter((game) => plays(game, this.agent.value) && plays(game, this.opponent.value) && endsSo(game));
    this.count.textContent = `${counted(this.chosen.length, "game")}${this.chosen.length ? "; press one to step through it" : ""}`;
    this.shown = 0;
    this.body = el("tbody", {});
    const head = [
      column("Game"), column("Round"), column(`First (${this.report.game.players[0]})`, "text"),
      column(`Second (${this.report.game.players[1]})`, "text"), column("Result", "text"), column("Ended by", "text"), column("Moves"), column("Late"),
    ];
    const box = table("Games", head, [], "games");
    box.querySelector("tbody").replaceWith(this.body);
    this.box.replaceChildren(box);
    this.showMore();
  }

  showMore() {
    this.body.append(...this.chosen.slice(this.shown, this.shown + GAMES_SHOWN).map((game) => this.row(game)));
    this.shown += GAMES_SHOWN;
    this.more.hidden = this.shown >= this.chosen.length;
  }

  row(game) {
    const name = (agent) => cell(breakable(this.report.agents[agent].name), `text${agent === game.winner ? " won" : ""}`);
    const isFault = this.report.faults.includes(game.reason);
    const button = el("button", { type: "button", class: "link", "aria-label": `Game ${game.number}` }, `${game.number}`);
    return el(
      "tr",
      { class: "game", click: () => this.open(game, 0) },
      el("td", {}, button), cell(`${game.round}`), name(game.first), name(game.second), cell(game.result, "text"),
      cell(game.reason, isFault ? "text bad" : "text soft"), cell(`${game.moves}`), cell(game.late ? `${game.late}` : "", "bad"),
    );
  }
}
