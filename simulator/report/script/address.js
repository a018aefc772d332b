// The address says after its # what is shown, so that a link to it can be sent to somebody, or kept:
// `#agent=alpha&against=beta&ended=crash&game=17&move=5`. An address of a section, `#faults`, stays as it is; what is
// chosen in the list of games is then kept in the state of the browser's history, in case the page is loaded again.

const ADDRESS_MS = 350; // between two changes while a slider is dragged: Safari throws after 100 changes in 30 s

let pending = null; // the text that has still to be written after the #; null if there is none
let timer = null;

/** What the address says, or will say in a moment; if it leads to a section, what is kept beside it. */
function addressed() {
  return new URLSearchParams(pending ?? (isSection() ? history.state ?? "" : location.hash.slice(1)));
}

/** Whether the address leads to a section, or to the page itself. */
function isSection() {
  return !location.hash.includes("=");
}

/** Change some parts of what the address says; an empty text removes a part. With `isSoon` the change may be delayed. */
function changeAddress(changes, isSoon = false) {
  pending = changed(changes);
  if (!isSoon || timer === null) writeAddress();
}

/** Keep changes beside the address, which leads to a section and stays as it is. */
function keepBesideAddress(changes) {
  pending = null;
  replaceState(changed(changes));
}

function changed(changes) {
  const parts = addressed();
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") parts.delete(name);
    else parts.set(name, value);
  }
  return `${parts}`;
}

function writeAddress() {
  clearTimeout(timer);
  timer = null;
  if (pending === null) return;
  const address = pending ? `#${pending}` : location.pathname + location.search;
  pending = null;
  replaceState(null, address);
  timer = setTimeout(writeAddress, ADDRESS_MS);
}

/** Change the address. If the browser accepts no more changes for now, the address still says what was shown before. */
function replaceState(state, address) {
  try {
    history.replaceState(state, "", address);
  } catch (error) {
    if (error.name !== "SecurityError") throw error;
  }
}

/** A link to the games of an agent, named by it. */
function agentLink(name) {
  const shown = () => byId("games").scrollIntoView(); // even if the address does not change
  return el("a", { href: `#${new URLSearchParams({ agent: name })}`, title: `The games of ${name}`, click: shown }, name);
}
