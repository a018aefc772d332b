// Begin reading here: the page is made of sections, and the replayer opens from any of them, or from the address.

const SECTIONS = { standings: "Standings", cross: "Cross-table", games: "Games", faults: "Violations", usage: "Times", absent: "Absent", settings: "Settings", downloads: "Downloads" };

function start() {
  const report = JSON.parse(byId("report").textContent);
  const games = gamesOf(report);
  const open = (game, ply) => replayer.open(game, ply);
  const list = new GameList(report, games, open);
  const replayer = new Replayer(report, list);
  startTheme();
  byId("summary").textContent = summaryOf(report, games);
  byId("file").textContent = report.file;
  const parts = [
    standingsSection(report),
    crossSection(report, (agent, opponent) => list.choose(agent, opponent)),
    list.element(),
    faultsSection(report, games, open),
    usageSection(report),
    absentSection(report),
    settingsSection(report),
    downloadsSection(report),
  ].filter((part) => part !== null);
  byId("main").append(...parts);
  byId("nav").append(...parts.map((part) => el("a", { href: `#${part.id}` }, SECTIONS[part.id])));
  new ResizeObserver(() => drawRatings(report)).observe(byId("standings"));
  if (!isSection() && addressed().has("agent")) byId("games").scrollIntoView();
  openFromAddress(games, open);
  addEventListener("hashchange", () => followAddress(list, games, open));
}

function summaryOf(report, games) {
  const { name, options } = report.game;
  const { planned, void: failed, accepted } = report.progress;
  const detail = Object.entries(options).map(([option, value]) => `${option} ${value}`).join(", ");
  const absent = report.agents.filter((agent) => agent.absence !== null).length;
  const left = planned ? `${counted(planned, "pair")} of games still to play` : "no game is left to play";
  const state = accepted ? `the sequential test has accepted ${accepted}` : left;
  const voids = failed ? `; ${counted(failed, "pair")} with a void game, which counts for nobody` : "";
  const agents = counted(report.agents.length, "agent") + (absent ? ` (${absent} absent)` : "");
  return `${name}${detail ? ` (${detail})` : ""}, ${report.settings.format ?? "games"}: ${agents}, ${counted(games.length, "game")}, ${state}${voids}.`;
}

/** Show what a link says that was followed. A link to a section, where the browser went itself, leaves the filters. */
function followAddress(list, games, open) {
  if (isSection()) return keepBesideAddress(list.asAddressed());
  pending = null; // the link replaces it
  list.fromAddress();
  openFromAddress(games, open);
}

/** `#game=17&move=5` opens that game at that move; without a game, none stays open. */
function openFromAddress(games, open) {
  const asked = addressed();
  const game = games.find((one) => one.number === Number(asked.get("game")));
  if (game) open(game, Math.trunc(Number(asked.get("move"))) || 0);
  else byId("replayer").close();
}

start();
