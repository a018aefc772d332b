// What is shown stands behind the # of the address, so that it can be sent to somebody, or kept:
// `#agent=alpha&against=beta&ended=crash&game=17&move=5`. A link to a section, `#faults`, stays as it is; what is chosen
// in the list of games is kept beside it then, for when the page is loaded again.

const ADDRESS_MS = 350; // between two changes while a slider is drawn: Safari takes 100 in 30 s, and then throws

let pending = null; // what the address is to say, as text, until it is written
let timer = null;

/** What the address says, or is to say in a moment; the name of a section says nothing. */
function addressed() {
  return new URLSearchParams(pending ?? (isSection() ? history.state ?? "" : location.hash.slice(1)));
}

/** Whether the address leads to a section, or to the page itself. */
function isSection() {
  return !location.hash.includes("=");
}

/** Change some of what the address says; an empty text takes it out. With `isSoon` it may take a moment. */
function changeAddress(changes, isSoon = false) {
  pending = changed(changes);
  if (!isSoon || timer === null) writeAddress();
}

/** Leave the address, which leads to a section, as it is, and keep beside it what has changed. */
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

/** The page goes on if the browser takes no more changes for now: the address then says what was shown before. */
function replaceState(state, address) {
  try {
    history.replaceState(state, "", address);
  } catch (error) {
    if (error.name !== "SecurityError") throw error;
  }
}

/** A link to the games of an agent, named by it. */
function agentLink(name) {
  const shown = () => byId("games").scrollIntoView(); // also if the address is this one already
  return el("a", { href: `#${new URLSearchParams({ agent: name })}`, title: `The games of ${name}`, click: shown }, name);
}
