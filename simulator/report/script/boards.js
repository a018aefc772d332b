// Boards as drawings. Positions come from the records, entry by entry; nothing here knows how a game is played.

const BOARDS = { go: goBoard, kalah: kalahBoard, pentago: pentagoBoard };
const STONES = { go: ["", "black", "white"], pentago: ["", "white", "black"] };

/** The stone of a player, small, for lists; a dot in the player's colour where players have no stones of their own. */
function stoneOf(shape, player) {
  const colour = STONES[shape.kind]?.[player + 1];
  return el("span", { class: colour ? `stone ${colour}` : `dot${player ? " second" : ""}` });
}

/** The names of cells, along the rows: `a1 b1`. */
const cellNames = (shape, cells) =>
  cells.map((at) => `${shape.columns[at % shape.columns.length].toLowerCase()}${shape.rows[Math.floor(at / shape.columns.length)]}`).join(" ");

/** All positions of a replay: for each, the entries of its board along the rows. */
function boardsOf(replay) {
  const boards = [replay.start];
  for (const changes of replay.changes) {
    const board = boards[boards.length - 1].slice();
    for (let i = 0; i < changes.length; i += 2) board[changes[i]] = changes[i + 1];
    boards.push(board);
  }
  return boards;
}

/** The position after `ply` moves; `label` says it in words. */
function drawBoard(shape, replay, ply, label) {
  if (replay.problem) return el("p", { class: "notice" }, `This game cannot be shown: ${replay.problem}`);
  if (shape.kind === "text") return el("pre", { "aria-label": label, role: "img" }, replay.drawings[ply]);
  replay.boards ??= boardsOf(replay);
  const mark = ply > 0 ? replay.marks[ply - 1] : null;
  const drawing = BOARDS[shape.kind](shape, replay, ply, mark);
  drawing.prepend(svg("title", {}, label));
  return drawing;
}

function frame(width, height, ...parts) {
  return svg("svg", { class: "board", viewBox: `0 0 ${width} ${height}`, role: "img" }, ...parts);
}

function stone(kind, x, y, radius) {
  const shine = svg("circle", { class: "shine", cx: x - radius * 0.3, cy: y - radius * 0.35, r: radius * 0.4 });
  return [svg("circle", { class: kind, cx: x, cy: y, r: radius }), kind === "black" ? shine : null];
}

const mark = (kind, x, y, radius) => svg("circle", { class: kind, cx: x, cy: y, r: radius });

function labels(shape, xOf, yOf, far) {
  const size = Math.max(13, far / 38);
  const text = (name, x, y) => svg("text", { class: "label", "font-size": size, x, y }, name);
  return [
    shape.columns.map((name, column) => [11, far - 11].map((y) => text(name, xOf(column), y))),
    shape.rows.map((name, row) => [11, far - 11].map((x) => text(name, x, yOf(row)))),
  ].flat(3);
}

// --- Pentago: four quadrants, the stone that was placed, the quadrant that was turned ---

const CELL = 44;
const GAP = 12;
const MARGIN = 28;

function pentagoBoard(shape, replay, ply, last) {
  const place = (i) => MARGIN + (i + 0.5) * CELL + (i > 2 ? GAP : 0);
  const far = 2 * MARGIN + 6 * CELL + GAP;
  const at = (index) => [place(index % 6), place(Math.floor(index / 6))];
  const parts = labels({ ...shape, columns: shape.columns.map((name) => name.toLowerCase()) }, place, place, far);
  for (let quadrant = 0; quadrant < 4; quadrant++) parts.push(quadrantTile(quadrant, last));
  replay.boards[ply].forEach((entry, index) => {
    const [x, y] = at(index);
    if (entry) parts.push(...stone(STONES.pentago[entry], x, y, CELL * 0.39));
    else parts.push(mark("hole", x, y, CELL * 0.33));
  });
  if (last) parts.push(...pentagoMarks(last, at));
  if (ply === replay.changes.length) parts.push(...replay.won.map((index) => mark("won", ...at(index), CELL * 0.445)));
  return frame(far, far, ...parts);
}

const quadrantEdge = (half) => MARGIN + half * (3 * CELL + GAP);

function quadrantTile(quadrant, last) {
  const [x, y] = [quadrantEdge(quadrant % 2), quadrantEdge(quadrant >> 1)];
  const turned = last && last[2] === quadrant ? " turned" : "";
  const side = 3 * CELL;
  const corner = (start, half) => start + (half ? side - 7 : 7);
  return svg(
    "g",
    {},
    svg("rect", { class: "tile" + turned, x, y, width: side, height: side, rx: 12 }),
    svg("text", { class: "number", x: corner(x, quadrant % 2), y: corner(y, quadrant >> 1) }, `${quadrant}`),
  );
}

/** Where the stone stands, a dashed ring where it was put before the turn, and an arrow for the turn. */
function pentagoMarks([placed, landed, quadrant, turn], at) {
  const marks = [mark("ring", ...at(landed), CELL * 0.39)];
  if (placed !== landed) marks.push(mark("ghost", ...at(placed), CELL * 0.39));
  const [x, y] = [quadrantEdge(quadrant % 2) + 1.5 * CELL, quadrantEdge(quadrant >> 1) + 1.5 * CELL];
  marks.push(svg("path", { class: "arrow", d: turn === 0 ? rotation(x, y) : reflection(x, y) }));
  return marks;
}

/** Three quarters of a circle around the quadrant's middle, clockwise. */
function rotation(x, y) {
  const r = CELL / 2;
  return `M ${x - r} ${y} A ${r} ${r} 0 1 1 ${x} ${y + r} m 6 -6 l -7 6 l 7 6`;
}

/** An arrow with two heads, left to right, between the rows. */
function reflection(x, y) {
  const [r, line] = [1.25 * CELL, y + CELL / 2];
  return `M ${x - r} ${line} H ${x + r} m -7 -6 l 7 6 l -7 6 M ${x - r + 7} ${line - 6} l -7 6 l 7 6`;
}

// --- Go: the grid, star points, the last stone, points where stones have just been taken ---

const POINT = 32;

function goBoard(shape, replay, ply, last) {
  const size = shape.rows.length;
  const place = (i) => MARGIN + (i + 0.5) * POINT;
  const far = 2 * MARGIN + size * POINT;
  const at = (index) => [place(index % size), place(Math.floor(index / size))];
  const parts = [...labels(shape, place, place, far), ...goGrid(size, place)];
  for (const index of shape.stars) parts.push(mark("star", ...at(index), 3));
  replay.boards[ply].forEach((entry, index) => {
    if (entry) parts.push(...stone(STONES.go[entry], ...at(index), POINT * 0.47));
  });
  if (ply > 0) for (const index of takenBy(replay.changes[ply - 1])) parts.push(cross(...at(index)));
  if (last && last[0] >= 0) parts.push(mark(`ring on-${STONES.go[replay.boards[ply][last[0]]]}`, ...at(last[0]), POINT * 0.24));
  return frame(far, far, ...parts);
}

function goGrid(size, place) {
  const [low, high] = [place(0), place(size - 1)];
  const edge = POINT * 0.62;
  const side = high - low + 2 * edge;
  const lines = [svg("rect", { class: "tile", x: low - edge, y: low - edge, width: side, height: side, rx: 8 })];
  for (let i = 0; i < size; i++) {
    lines.push(svg("path", { class: "line", d: `M ${low} ${place(i)} H ${high} M ${place(i)} ${low} V ${high}` }));
  }
  return lines;
}

const takenBy = (changes) => changes.filter((_, i) => i % 2 === 0 && changes[i + 1] === 0);

function cross(x, y) {
  const r = 5;
  return svg("path", { class: "taken", d: `M ${x - r} ${y - r} l ${2 * r} ${2 * r} m 0 ${-2 * r} l ${-2 * r} ${2 * r}` });
}

// --- Kalah: South's pits below, North's above from the right to the left, South's store at the right, North's left ---

const PIT = 62;
const STORE = 76;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

function kalahBoard(shape, replay, ply, last) {
  const { pits, names } = shape;
  const width = 2 * MARGIN + 2 * STORE + pits * PIT;
  const [top, bottom] = [MARGIN + PIT / 2, MARGIN + 2.05 * PIT];
  const x = (column) => MARGIN + STORE + (column + 0.5) * PIT;
  const side = { x: MARGIN, y: MARGIN - 6, width: width - 2 * MARGIN, height: bottom + PIT / 2 - MARGIN + 12, rx: 24 };
  const parts = [svg("rect", { class: "tile", ...side })];
  const text = (kind, at, y, words) => parts.push(svg("text", { class: kind, "font-size": 13, x: at, y }, words));
  replay.boards[ply].forEach((stones, index) => {
    const [player, pit] = [Math.floor(index / (pits + 1)), index % (pits + 1)];
    if (pit === pits) return parts.push(...kalahStore(player ? MARGIN + STORE / 2 : width - MARGIN - STORE / 2, (top + bottom) / 2, stones));
    const [at, y] = [x(player ? pits - 1 - pit : pit), player ? top : bottom];
    parts.push(mark("hole", at, y, PIT * 0.42), ...kalahStones(at, y, stones));
    if (last && last[0] === index) parts.push(mark("ring", at, y, PIT * 0.42));
    text("count", at, player ? y + PIT * 0.55 : y - PIT * 0.55, `${stones}`);
    text("label", at, player ? 11 : side.y + side.height + 12, `${pit + 1}`);
  });
  names.forEach((name, player) => text("label", player ? MARGIN + STORE / 2 : width - MARGIN - STORE / 2, side.y + side.height + 12, name));
  return frame(width, side.y + side.height + 24, ...parts);
}

function kalahStore(x, y, stones) {
  const [width, height] = [STORE * 0.66, PIT * 2];
  const box = svg("rect", { class: "hole", x: x - width / 2, y: y - height / 2, width, height, rx: width / 2 });
  return [box, svg("text", { class: "count", "font-size": 22, x, y }, `${stones}`)];
}

/** The stones of a pit from the middle outwards, as many as have room; the number beside the pit counts all. */
function kalahStones(x, y, stones) {
  return Array.from({ length: Math.min(stones, 24) }, (_, i) => {
    const [angle, distance] = [i * GOLDEN_ANGLE, 4.6 * Math.sqrt(i)];
    return mark("white", x + distance * Math.cos(angle), y + distance * Math.sin(angle), 3.8);
  });
}
