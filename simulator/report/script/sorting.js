// Tables that are sorted by the heading that is pressed. Headings are buttons; `aria-sort` says which order is shown.

/** Let a heading call `order`: texts from A, ranks from 1, figures from the largest; in reverse when pressed again. */
function makeSortable(whole, order) {
  const headings = [...whole.querySelectorAll("thead th")];
  headings.forEach((heading, index) => {
    const press = () => {
      const isUp = heading.ariaSort ? heading.ariaSort === "descending" : heading.matches(".text, .rank");
      for (const other of headings) other.ariaSort = null;
      heading.ariaSort = isUp ? "ascending" : "descending";
      order(index, isUp);
    };
    heading.replaceChildren(el("button", { type: "button", class: "sort", click: press }, ...heading.childNodes));
  });
  return whole;
}

/** A table that sorts its rows by the keys or texts of their cells, see `cell`. */
function sortableTable(...parts) {
  const whole = table(...parts);
  const body = whole.querySelector("tbody");
  const rows = [...body.rows];
  return makeSortable(whole, (index, isUp) => body.append(...sorted(rows, (row) => keyOf(row.cells[index]), isUp)));
}

/** The rows in order of their keys. Equal rows stay as they were; rows with the key null come last. */
function sorted(rows, key, isUp) {
  const keys = new Map(rows.map((row) => [row, key(row)]));
  return rows.toSorted((one, other) => {
    const [a, b] = [keys.get(one), keys.get(other)];
    if (a === null || b === null) return (a === null) - (b === null);
    const rising = typeof a === "number" && typeof b === "number" ? a - b : `${a}`.localeCompare(`${b}`, "en", { numeric: true });
    return isUp ? rising : -rising;
  });
}

function keyOf(cell) {
  const said = cell.dataset.value ?? cell.textContent;
  if (said === "" || said === "–") return null;
  return Number.isFinite(Number(said)) ? Number(said) : said;
}
