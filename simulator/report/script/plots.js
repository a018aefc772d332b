// Two plots: ratings with their intervals, and what agents thought of their chances in a game.

const ROW = 26;
const DIGIT = 8; // pixels that a character of a label takes at most

/** A step that makes about `wanted` ticks: 1, 2 or 5 times a power of ten. */
function tickStep(span, wanted) {
  const rough = span / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
}

/** Rows of {name, value, low, high}, best first, as points with error bars. `text` formats a number. */
function intervalPlot(rows, width, { text, middle, label }) {
  const names = Math.min(190, width * 0.34);
  const [low, high] = [Math.min(middle, ...rows.map((row) => row.low)), Math.max(middle, ...rows.map((row) => row.high))];
  const step = tickStep(high - low || 1, (width - names) / 60);
  const last = Math.floor(high / step) * step;
  const right = width - Math.max(16, (text(last).length * DIGIT) / 2); // so that half of the last label has room
  const x = (value) => names + 12 + ((value - low) / (high - low || 1)) * (right - names - 12);
  const height = rows.length * ROW + 30;
  const drawing = svg("svg", { class: "plot", width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
  drawing.append(svg("title", {}, label));
  for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) {
    const line = { x1: x(tick), x2: x(tick), y1: 0, y2: height - 24, class: "grid" };
    drawing.append(svg("line", line), svg("text", { class: "tick", x: x(tick), y: height - 8, "text-anchor": "middle" }, text(tick)));
  }
  drawing.append(svg("line", { class: "zero", x1: x(middle), x2: x(middle), y1: 0, y2: height - 24 }));
  rows.forEach((row, index) => drawing.append(intervalRow(row, x, index * ROW + ROW / 2, names, text)));
  return drawing;
}

function intervalRow({ name, value, low, high }, x, y, names, text) {
  const most = Math.floor(names / 7.6);
  const shown = name.length > most ? `${name.slice(0, most - 1)}…` : name;
  const bar = `M ${x(low)} ${y} H ${x(high)} M ${x(low)} ${y - 5} v 10 M ${x(high)} ${y - 5} v 10`;
  return svg(
    "g",
    {},
    svg("title", {}, `${name}: ${text(value)}, 95 % from ${text(low)} to ${text(high)}`),
    svg("text", { x: 0, y: y + 4 }, shown),
    svg("path", { class: "range", d: bar }),
    svg("circle", { class: "value", cx: x(value), cy: y, r: 5 }),
  );
}

/** The legend of the plot below: which line is whose. */
function plotKeys(names) {
  const key = (name, player) => el("span", {}, el("span", { class: `key ${player ? "second" : "first"}` }), name);
  return el("p", { class: "keys" }, ...names.map(key));
}

/** The agents' own values along the game, 0 to 1; null if nobody gave one. */
function valuePlot(replay, ply, width) {
  if (!replay.values.some((value) => value !== null)) return null;
  const height = 88;
  const plies = replay.moves.length;
  const x = (at) => 6 + ((width - 12) * at) / Math.max(1, plies);
  const y = (value) => 6 + (height - 12) * (1 - value);
  const drawing = svg("svg", { class: "spark", width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
  drawing.append(
    svg("title", {}, "What the agents themselves thought of their chances, move by move"),
    svg("rect", { class: "frame", x: 1, y: 1, width: width - 2, height: height - 2, rx: 8 }),
    svg("line", { class: "half", x1: 2, x2: width - 2, y1: y(0.5), y2: y(0.5) }),
  );
  ["first", "second"].forEach((kind, player) => {
    const points = replay.values
      .map((value, i) => [replay.opening + i, value])
      .filter(([at, value]) => value !== null && replay.players[at] === `${player}`)
      .map(([at, value]) => [x(at + 1), y(value)]);
    if (points.length) drawing.append(svg("path", { class: kind, d: "M" + points.map((p) => p.join(" ")).join("L") }));
    if (points.length === 1) drawing.append(svg("circle", { class: kind, cx: points[0][0], cy: points[0][1], r: 3 }));
  });
  drawing.append(svg("line", { class: "cursor", x1: x(ply), x2: x(ply), y1: 3, y2: height - 3 }));
  return drawing;
}
