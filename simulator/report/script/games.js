// The list of games, with filters that the address keeps; rows are made when they are shown.

const GAMES_SHOWN = 50;

/** Games as objects, by the names of the columns. */
function gamesOf(report) {
  return report.games.map((row) => Object.fromEntries(report.columns.map((name, i) => [name, row[i]])));
}

/** How a game ended, and whether it counts: if one game of a pair is void, neither counts. */
function endOf({ reason, counts }) {
  return counts || reason === "void" ? reason : `${reason} (does not count)`;
}

class GameList {
  constructor(report, games, open) {
    Object.assign(this, { report, games, open, shown: 0, chosen: games, sorting: null });
    this.agent = this.select("Agent", this.agentOptions());
    this.opponent = this.select("Against", this.agentOptions());
    this.ended = this.select("Ended", this.endOptions());
    this.count = el("p", { class: "note", role: "status" });
    this.box = makeSortable(table("Games", this.head(), [], "games"), (index, isUp) => this.sort(index, isUp));
    this.more = el("button", { type: "button", click: () => this.showMore() }, "Show more games");
    this.fromAddress();
  }

  head() {
    const [first, second] = this.report.game.players;
    return [
      column("Game", "rank"), column("Round", "rank"), column(`First (${first})`, "text"), column(`Second (${second})`, "text"),
      column("Result", "text"), column("Ended by", "text"), column("Moves"), column("Late", "", "Late moves"),
    ];
  }

  element() {
    const filters = el("div", { class: "filters" }, ...[this.agent, this.opponent, this.ended].map((select) => select.parentElement));
    return section("games", "Games", filters, this.count, this.box, this.more);
  }

  select(label, options) {
    const select = el("select", { change: () => this.toAddress() }, ...options.map(([value, text]) => el("option", { value }, text)));
    el("label", {}, label, select);
    return select;
  }

  agentOptions() {
    const played = new Set(this.games.flatMap((game) => [game.first, game.second]));
    return [["", "any"], ...[...played].sort((a, b) => a - b).map((agent) => [agent, this.report.agents[agent].name])];
  }

  endOptions() {
    const reasons = [...new Set(this.games.map((game) => game.reason))].sort();
    const faults = reasons.some((reason) => this.report.faults.includes(reason)) ? [["faults", "by any violation"]] : [];
    const late = this.games.some((game) => game.late) ? [["late", "with late moves"]] : [];
    const word = (reason) => ({ normal: "normally", void: "void" })[reason] ?? `by ${reason}`;
    return [["", "in any way"], ...faults, ...late, ...reasons.map((reason) => [reason, word(reason)])];
  }

  /** Show the games of two agents. */
  choose(agent, opponent) {
    [this.agent.value, this.opponent.value, this.ended.value] = [agent, opponent, ""];
    this.toAddress();
    byId("games").scrollIntoView();
    this.agent.focus({ preventScroll: true });
  }

  /** Choose what the address says, which has the names of agents; names that are unknown here are ignored. */
  fromAddress() {
    const asked = addressed();
    const number = (name) => this.report.agents.findIndex((agent) => agent.name === name);
    const wanted = [[this.agent, number(asked.get("agent"))], [this.opponent, number(asked.get("against"))], [this.ended, asked.get("ended")]];
    for (const [select, value] of wanted) {
      select.value = value;
      if (select.selectedIndex < 0) select.value = "";
    }
    this.filter();
  }

  /** Write to the address what is chosen, and show it. */
  toAddress() {
    changeAddress(this.asAddressed());
    this.filter();
  }

  /** What is chosen, as parts of an address. */
  asAddressed() {
    const name = (select) => this.report.agents[select.value]?.name ?? "";
    return { agent: name(this.agent), against: name(this.opponent), ended: this.ended.value };
  }

  sort(index, isUp) {
    const name = (agent) => this.report.agents[agent].name;
    const keys = [
      (game) => game.number, (game) => game.round, (game) => name(game.first), (game) => name(game.second),
      (game) => game.result, (game) => game.reason, (game) => game.moves, (game) => game.late,
    ];
    this.sorting = { key: keys[index], isUp };
    this.filter();
  }

  filter() {
    const plays = (game, agent) => agent === "" || game.first === Number(agent) || game.second === Number(agent);
    const ended = this.ended.value;
    const endsSo = (game) =>
      ended === "" || ended === game.reason || (ended === "late" && game.late > 0) ||
      (ended === "faults" && this.report.faults.includes(game.reason));
    const chosen = this.games.filter((game) => plays(game, this.agent.value) && plays(game, this.opponent.value) && endsSo(game));
    this.chosen = this.sorting ? sorted(chosen, this.sorting.key, this.sorting.isUp) : chosen;
    this.count.textContent = `${counted(this.chosen.length, "game")}${this.chosen.length ? "; press a number to step through that game" : ""}`;
    this.shown = 0;
    this.box.querySelector("tbody").replaceChildren();
    this.showMore();
  }

  showMore() {
    this.box.querySelector("tbody").append(...this.chosen.slice(this.shown, this.shown + GAMES_SHOWN).map((game) => this.row(game)));
    this.shown += GAMES_SHOWN;
    this.more.hidden = this.shown >= this.chosen.length;
  }

  row(game) {
    const name = (agent, player) =>
      cell([stoneOf(this.report.board, player), ...breakable(this.report.agents[agent].name)], `text${agent === game.winner ? " won" : ""}`);
    const isFault = game.counts && this.report.faults.includes(game.reason);
    const button = el("button", { type: "button", class: "link", "aria-label": `Game ${game.number}` }, `${game.number}`);
    return el(
      "tr",
      { class: "game", click: () => this.open(game, 0) },
      el("td", {}, button), cell(`${game.round}`), name(game.first, 0), name(game.second, 1), cell(game.result, "text"),
      cell(endOf(game), isFault ? "text bad" : "text soft"), cell(`${game.moves}`), cell(game.late ? `${game.late}` : "", "bad"),
    );
  }
}
