// Elements, made from data. Text goes in as text only: what agents call themselves or write to stderr is never markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children (elements or texts; null for none). A function is a listener. */
function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** An element of an SVG drawing, made in the same way. */
function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null));
  return element;
}

const byId = (id) => document.getElementById(id);

/** A table in a box of its own that scrolls sideways; `head` and the cells of `rows` are elements. */
function table(label, head, rows, kind = "") {
  const body = el("tbody", {}, rows.map((cells) => el("tr", {}, cells)));
  const caption = el("caption", { class: "hidden" }, label);
  const whole = el("table", { class: kind }, caption, el("thead", {}, el("tr", {}, head)), body);
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, whole);
}

const column = (text, kind = "", title = null) => el("th", { scope: "col", class: kind, title }, text);
const rowHead = (content) => el("th", { scope: "row", title: content instanceof Element ? null : content }, content);
/** A cell. `value` is its key for sorting, if the text is no plain number; null if there is nothing to compare. */
const cell = (content, kind = "", value = undefined) =>
  el("td", { class: kind, "data-value": value === undefined ? null : `${value ?? ""}` }, content);

/** A long text as it was written, folded up; null if there is none. */
function foldedText(title, text) {
  if (!text) return null;
  return el("details", {}, summaryOfText(title, text.split("\n").length), el("pre", { class: "log" }, text));
}

const summaryOfText = (title, lines) => el("summary", {}, `${title}, ${counted(lines, "line")}`);

/** The same for a text of `lines` lines that is loaded when it is unfolded: `load` returns a promise of the text. */
function foldedPromise(title, lines, load) {
  if (!lines) return null;
  const log = el("pre", { class: "log" });
  const summary = summaryOfText(title, lines);
  const fill = async () => {
    log.ariaBusy = "true";
    log.textContent = await load().catch((error) => error.message);
    log.ariaBusy = null;
  };
  summary.addEventListener("click", fill, { once: true });
  return el("details", {}, summary, log);
}

/** A name that may be broken after its punctuation marks. */
function breakable(name) {
  return name.split(/(?<=[_.:,/-])/).flatMap((part) => [part, el("wbr")]);
}

/** A term and its value, for a list of facts. */
const fact = (term, value) => [el("dt", {}, term), el("dd", {}, value)];

const words = (name) => name.replaceAll("_", " ");

/** Points as text: 1.5 is 1½. */
function halves(points) {
  const whole = Math.floor(points);
  return points === whole ? `${whole}` : `${whole || ""}½`;
}

const signed = (number) => (Math.round(number) > 0 ? "+" : "") + Math.round(number).toString().replace("-", "−");
const percent = (share) => `${(100 * share).toFixed(1)} %`;
const seconds = (time) => `${time.toFixed(time < 1 ? 3 : 2)} s`;
const counted = (number, thing) => `${number.toLocaleString("en")} ${thing}${number === 1 ? "" : "s"}`;
