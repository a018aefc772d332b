// Light or dark: as the system says, until somebody chooses.

const KEPT = "unforced-theme";

function systemTheme() {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** The theme that was chosen earlier, or null; a browser may forbid pages to store anything. */
function keptTheme() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

function keepTheme(theme) {
  try {
    localStorage.setItem(KEPT, theme);
  } catch {
    // the choice lasts until the page is closed
  }
}

function showTheme(theme) {
  document.documentElement.dataset.theme = theme;
  byId("theme").textContent = theme === "dark" ? "Light theme" : "Dark theme";
}

function startTheme() {
  showTheme(keptTheme() ?? systemTheme());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => showTheme(keptTheme() ?? systemTheme()));
  byId("theme").addEventListener("click", () => {
    const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    keepTheme(theme);
    showTheme(theme);
  });
}
