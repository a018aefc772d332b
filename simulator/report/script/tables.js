// The sections of the page, except the list of games. Each function returns elements, or null if there is nothing.

function section(id, title, ...parts) {
  return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), ...parts);
}

// --- Standings ---

function standingsSection(report) {
  const tables = report.tables.map((one) => [
    report.tables.length > 1 ? el("h3", {}, one.title) : null,
    one.rows.some((row) => "buchholz" in row) ? formatTable(report, one) : standingsTable(report, one),
  ]);
  const { problem, first_player: advantage } = report.ratings;
  const moving = advantage && `Moving first is worth ${signed(advantage[0])} Elo (95 %: ${signed(advantage[1])} to ${signed(advantage[2])}).`;
  const note = problem
    ? `There are no ratings: ${problem}.`
    : `Sorted by Elo, whose mean over all agents is 0; docs/tournaments.md says how it is computed. A draw is half a point. ${moving}`;
  return section("standings", "Standings", ...tables.flat(), el("p", { class: "note" }, note), el("div", { id: "plot" }));
}

/** The columns with places, agents and, if any are known, authors. */
function whoColumns(report) {
  return [column("#", "rank", "Place"), column("Agent", "text"), ...(hasAuthors(report) ? [column("Author", "text")] : [])];
}

function whoCells(report, { agent, place }) {
  const { name, authors } = report.agents[agent];
  return [cell(`${place}`, "soft"), rowHead(agentLink(name)), ...(hasAuthors(report) ? [cell(authors.join(", "), "text soft")] : [])];
}

const hasAuthors = (report) => report.agents.some((agent) => agent.authors.length);

function standingsTable(report, { title, rows }) {
  const head = [
    ...whoColumns(report), column("Elo"), column("95 %", "", "Of the Elo rating"), column("Points"),
    column("Games"), column("Won"), column("Drawn"), column("Lost"), column("Score"),
    column("95 %", "", "Of the score, from pairs of games"), column("Faults", "", "Games lost by breaking a rule"),
    column("Late", "", "Moves that came late and were replaced by random ones"),
  ];
  const body = rows.map((row) => {
    const share = report.shares[row.agent];
    const elo = report.ratings.agents?.[row.agent];
    const { usage } = report.agents[row.agent];
    const score = row.games ? row.points / row.games : null;
    return [
      ...whoCells(report, row), cell(elo ? signed(elo[0]) : "–", "", elo?.[0]),
      cell(elo ? `${signed(elo[1])} to ${signed(elo[2])}` : "–", "soft", elo?.[1]), cell(halves(row.points), "", row.points), cell(`${row.games}`),
      cell(`${row.wins}`), cell(`${row.draws}`), cell(`${row.losses}`), cell(score === null ? "–" : percent(score), "", score),
      cell(share ? `${percent(share[1])} – ${percent(share[2])}` : "–", "soft", share?.[1]),
      cell(`${row.faults}`, row.faults ? "bad" : ""), cell(`${usage.replaced}`, usage.replaced ? "bad" : ""),
    ];
  });
  return sortableTable(title, head, body);
}

/** The table that decides in the format: of a Swiss tournament, or of the course's final. */
function formatTable(report, { title, rows }) {
  const byes = rows.some((row) => row.byes);
  const head = [
    ...whoColumns(report), column("Points"), column("Games"), column("Buchholz", "", "The points of all opponents"), ...(byes ? [column("Byes")] : []),
  ];
  const body = rows.map((row) => [
    ...whoCells(report, row), cell(halves(row.points), "", row.points),
    cell(`${row.games}`), cell(halves(row.buchholz), "", row.buchholz), ...(byes ? [cell(`${row.byes}`)] : []),
  ]);
  return sortableTable(title, head, body);
}

/** Ratings with error bars; if no games connect all agents, shares of the points instead. */
function drawRatings(report) {
  const box = byId("plot");
  const estimates = report.ratings.agents ?? report.shares;
  const isElo = Boolean(report.ratings.agents);
  const rows = Object.entries(estimates)
    .map(([agent, [value, low, high]]) => ({ name: report.agents[agent].name, value, low, high }))
    .sort((a, b) => b.value - a.value);
  if (!rows.length) return;
  const label = isElo ? "Elo ratings with 95 % intervals" : "Scores with 95 % intervals";
  const how = { text: isElo ? signed : percent, middle: isElo ? 0 : 0.5, label };
  box.replaceChildren(el("h3", {}, label), intervalPlot(rows, box.clientWidth, how));
}

// --- Who beat whom ---

function crossSection(report, choose) {
  if (!report.cross.length) return null;
  const met = new Map(report.cross.map(([one, other, points, games]) => [`${one} ${other}`, [points, games]]));
  const order = report.tables.at(-1).rows.map((row) => row.agent);
  const alike = report.cross.every(([, , , games]) => games === report.cross[0][3]);
  const head = [column("", "text"), ...order.map((agent, i) => column(`${i + 1}`, "", report.agents[agent].name))];
  const rows = order.map((agent, i) => [
    rowHead(`${i + 1}  ${report.agents[agent].name}`),
    ...order.map((other) => crossCell(report, agent, other, { met: met.get(`${agent} ${other}`), alike, choose })),
  ]);
  const games = alike ? counted(report.cross[0][3], "game") : "the games that they played";
  const note = `Points of the agent on the left against each other agent, out of ${games}. Press a result to see its games.`;
  return section("cross", "Cross-table", el("p", { class: "note" }, note), table("Cross-table", head, rows, "cross"));
}

/** `alike` if all have met equally often: then the number of games is left out. */
function crossCell(report, agent, other, { met, alike, choose }) {
  if (agent === other || !met) return cell(agent === other ? "·" : "", "self");
  const [points, games] = met;
  const label = `${report.agents[agent].name} against ${report.agents[other].name}: ${halves(points)} of ${games}`;
  const button = el(
    "button",
    { type: "button", title: label, "aria-label": label, click: () => choose(agent, other) },
    alike ? halves(points) : `${halves(points)}/${games}`,
  );
  const share = points / games;
  const [colour, part] = share >= 0.5 ? ["--win", share - 0.5] : ["--loss", 0.5 - share];
  button.style.background = `color-mix(in srgb, var(${colour}) ${200 * part}%, var(--even))`;
  return el("td", {}, button);
}

// --- What agents used ---

function usageSection(report) {
  const head = [
    column("Agent", "text"), column("Moves"), column("Median"), column("99 %", "", "99 of 100 moves took no longer"),
    column("Longest"), column("First move", "", "The longest, set-up included"), column("Memory", "", "The most of any game"),
    column("Late", "", "Moves that came late and were replaced by random ones"), column("Lost by faults", "text"),
  ];
  const present = report.agents.filter((agent) => agent.absence === null);
  const allowed = present.map((agent) => limitsText(agent.limits));
  const alike = new Set(allowed).size <= 1;
  const rows = present.map(({ name, usage, limits }, i) => {
    const faults = Object.entries(usage.faults).map(([reason, count]) => `${count} ${reason}`).join(", ");
    const time = (measured, most) => cell(measured === undefined ? "–" : seconds(measured), measured > (most ?? Infinity) ? "bad" : "", measured);
    return [
      rowHead(agentLink(name)), cell(usage.moves.toLocaleString("en"), "", usage.moves), time(usage.later?.p50, limits.move_seconds),
      time(usage.later?.p99, limits.move_seconds), time(usage.later?.max, limits.move_seconds),
      time(usage.first?.max, limits.first_move_seconds), cell(`${usage.memory_mb} MB`, usage.memory_mb > limits.memory_mb ? "bad" : "", usage.memory_mb),
      cell(`${usage.replaced}`, usage.replaced ? "bad" : ""), cell(faults || "none", faults ? "text bad" : "text soft", faults),
      ...(alike ? [] : [cell(allowed[i], "text soft")]),
    ];
  });
  const limits = alike ? allowed[0] ?? "none" : "each agent has its own";
  const note = `Times are of all moves but each game's first. Limits: ${limits}.`;
  const columns = alike ? head : [...head, column("Limits", "text")];
  return section("usage", "Times and memory", el("p", { class: "note" }, note), sortableTable("Times and memory", columns, rows));
}

/** What an agent may use, in words; null means no limit. */
function limitsText(limits) {
  const each = limits.move_seconds === null ? [] : [`${limits.move_seconds} s a move`];
  const clock = limits.clock_seconds ? [`${limits.clock_seconds} s a game and ${limits.increment_seconds} s more with each move`] : [];
  const cores = limits.processors > 1 ? [counted(limits.processors, "processor")] : [];
  return [...each, ...clock, `${limits.first_move_seconds} s for the first`, `${limits.memory_mb} MB`, ...cores].join(", ");
}

function absentSection(report) {
  const absent = report.agents.filter((agent) => agent.absence !== null);
  if (!absent.length) return null;
  const each = ({ name, text, absence, authors }) => {
    const about = [text === name ? "" : text, authors.join(", ")].filter((part) => part).join("; ");
    return el("div", { class: "fault" }, el("p", {}, el("strong", {}, name), about && ` (${about})`), el("pre", {}, absence));
  };
  const note = "They could not be unpacked or started under the limits of a first move, or somebody took them out.";
  return section("absent", "Absent", el("p", { class: "note" }, note), ...absent.map(each));
}

// --- What went wrong ---

const FAULTS_SHOWN = 5; // of an agent, until more are asked for

function faultsSection(report, games, open) {
  const broken = games.filter((game) => report.faults.includes(game.reason));
  const groups = faultGroups(broken);
  const note = broken.length
    ? `${counted(broken.length, "game")} of ${games.length.toLocaleString("en")} ended by a violation, or were void.`
    : "None: every game ended normally, or with a resignation.";
  const title = (agent) => (agent === null ? "Void games" : agentLink(report.agents[agent].name));
  const each = groups.map(([agent, lost]) => faultGroup(title(agent), lost, (game) => faultItem(report, game, open)));
  return section("faults", "Violations", el("p", { class: "note" }, note), ...each);
}

/** [agent, the games that it lost by violations], most games first; the agent is null for void games. */
function faultGroups(broken) {
  const lost = new Map();
  for (const game of broken) {
    const agent = game.winner === null ? null : game.winner === game.first ? game.second : game.first;
    lost.set(agent, [...(lost.get(agent) ?? []), game]);
  }
  return [...lost].sort(([, one], [, other]) => other.length - one.length);
}

/** The games that an agent lost, with a count for each reason; the first few, and a button for more. */
function faultGroup(title, games, item) {
  const counts = new Map();
  for (const game of games) counts.set(endOf(game), (counts.get(endOf(game)) ?? 0) + 1);
  const how = [...counts].sort((one, other) => other[1] - one[1]).map(([reason, count]) => `${count} ${reason}`);
  const list = el("div", {});
  const more = el("button", { type: "button", click: () => show() }, "Show more");
  let shown = 0;
  const show = () => {
    list.append(...games.slice(shown, shown + FAULTS_SHOWN).map(item));
    shown += FAULTS_SHOWN;
    more.hidden = shown >= games.length;
  };
  show();
  const count = el("span", { class: "soft" }, ` · ${counted(games.length, "game")}: ${how.join(", ")}`);
  return el("div", { class: "fault-group" }, el("h3", {}, title, count), list, more);
}

function faultItem(report, game, open) {
  const { text, loser, lines } = report.violations[game.number];
  const button = el("button", { type: "button", class: "link", click: () => open(game, Infinity) }, `Game ${game.number}`);
  const log = foldedPromise("what it wrote", lines, async () => (await replayOf(game.number)).logs[loser]);
  return el("div", { class: "fault" }, el("p", {}, button, " ", el("span", { class: game.counts ? "bad" : "soft" }, endOf(game)), ` · ${text}`), log);
}

// --- How it was played ---

function settingsSection(report) {
  const options = Object.entries(report.settings).map(([name, value]) => fact(words(name), value));
  const machines = report.sessions.map(({ started, machine }, i) => [
    el("h3", {}, report.sessions.length > 1 ? `Machine, start ${i + 1}` : "Machine"),
    el("dl", { class: "facts" }, [["started", started], ...Object.entries(machine)].map(([name, value]) => fact(words(name), value || "unknown")).flat()),
  ]);
  const held = report.enforcement.map(({ games, held: how }) => [
    el("h3", {}, report.enforcement.length > 1 ? `Isolation in force, ${counted(games, "game")}` : "Isolation in force"),
    el("dl", { class: "facts" }, Object.entries(how).map(([name, value]) => fact(words(name), value)).flat()),
  ]);
  const played = report.machines.map(({ machine, pairs }) => fact(machine || "the coordinator's machine", `pairs ${pairs}`));
  const elsewhere = report.machines.some(({ machine }) => machine);
  const places = elsewhere ? [el("h3", {}, "Where pairs were played"), el("dl", { class: "facts" }, played.flat())] : [];
  const settings = [el("h3", {}, "Settings"), el("dl", { class: "facts" }, options.flat())];
  const columns = el("div", { class: "columns" }, el("div", {}, settings), el("div", {}, held.flat(), machines.flat(), places));
  return section("settings", "How it was played", columns, sourcesOf(report));
}

function sourcesOf(report) {
  const each = ({ name, text, sources }) => [
    el("h3", {}, name),
    el("p", { class: "soft mono" }, text),
    el("dl", { class: "facts mono" }, Object.entries(sources).map(([path, digest]) => fact(digest, path)).flat()),
  ];
  return el("details", {}, el("summary", {}, "Agents and what they consist of (SHA-256)"), ...report.agents.flatMap(each));
}

// --- For other programs ---

function downloadsSection(report) {
  if (!report.downloads?.length) return null;
  const each = report.downloads.map(({ href, what, bytes }) =>
    fact(el("a", { href, download: true }, href.split("/").pop()), `${what} (${(bytes / 1e6).toFixed(bytes < 1e6 ? 2 : 1)} MB)`),
  );
  const note = "They stand beside this page, in the folder downloads.";
  return section("downloads", "Downloads", el("p", { class: "note" }, note), el("dl", { class: "facts" }, each.flat()));
}
