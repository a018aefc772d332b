// What is shown stands behind the # of the address, so that it can be sent to somebody, or kept:
// `#agent=alpha&against=beta&ended=crash&game=17&move=5`.

/** What the address says; the name of a section says nothing. */
function addressed() {
  return new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
}

/** Change some of what the address says; an empty text takes it out. */
function changeAddress(changes) {
  const parts = addressed();
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") parts.delete(name);
    else parts.set(name, value);
  }
  history.replaceState(null, "", `${parts}` ? `#${parts}` : location.pathname + location.search);
}

/** A link to the games of an agent, named by it. */
function agentLink(name) {
  const shown = () => byId("games").scrollIntoView(); // also if the address is this one already
  return el("a", { href: `#${new URLSearchParams({ agent: name })}`, title: `The games of ${name}`, click: shown }, name);
}
