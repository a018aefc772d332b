"""The page of a tournament in a real browser: Chromium without a window, reading a file, with the network watched."""

import json
import shutil
import tempfile
from itertools import count, pairwise, product
from pathlib import Path
from urllib.parse import unquote, unquote_plus, urlparse

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from simulator.records.database import read_store
from simulator.referee.game_record import Reason
from simulator.report.document import Block, write_document
from simulator.report.downloads import write_downloads
from simulator.report.game_files import game_files
from simulator.report.page import write_page
from simulator.report.page_data import report_json
from simulator.report.student import tournament_blocks
from tests.leagues import write_league

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--in-process-gpu",
)  # fmt: skip
DESKTOP, PHONE = (1280, 900), (390, 844)
VISITS = count()
POLL_SECONDS = 0.05  # between two checks of the page
READABLE = 4.5  # contrast of text, WCAG 2.2, level AA
NASTY = "<img src=x onerror=alert(1)>"
AUTHORS = {"alpha": ("Ann Lee", NASTY), "absent_agent": ("Bob",)}
NAMES = ("alpha", NASTY, "a_name_that_is_so_long_that_no_phone_is_wide_enough_for_it_agent", "absent_agent")

pytestmark = pytest.mark.skipif(
    BROWSER is None or DRIVER is None,
    reason="no Chromium with its driver: apt-get install -y chromium chromium-driver",
)

# For each element that shows text of its own: its contrast with what is behind it, as WCAG 2.2 defines it.
CONTRASTS = """
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const rgba = (colour) => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data];
};
const behind = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const colour = rgba(getComputedStyle(at).backgroundColor);
    if (colour[3] === 255) return colour;
  }
  return [255, 255, 255, 255];
};
const luminance = (colour) => {
  const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const [r, g, b] = colour.map((part) => linear(part / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const root = document.querySelector(arguments[0]);
const found = [];
for (const element of root.querySelectorAll("*")) {
  const texts = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!texts || !element.checkVisibility() || element.closest("svg, script, .hidden, :disabled")) continue;
  const style = getComputedStyle(element);
  const [one, two] = [luminance(rgba(style.color)), luminance(behind(element))];
  const contrast = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
  found.push([contrast, element.className, element.textContent.slice(0, 40)]);
}
return found;
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The pages of a league of each kind, by game."""
    folder = tmp_path_factory.mktemp("pages")
    kinds = {
        "pentago": {"faults": {1: Reason.CRASH}, "stderr": ("</script><script>alert(2)</script>",) * 3, "pairs": 9},
        "go": {"options": {"size": 9}, "plies": 60, "authors": AUTHORS},
        "tictactoe": {},
    }
    found = {}
    for game, details in kinds.items():
        absent = {"absent_agent": "x" * 500}
        path = write_league(folder / f"{game}.db", NAMES, game=game, absent=absent, **details)
        with read_store(path) as store:
            with game_files(folder / game) as keep:
                report = report_json(store, keep)
            report["downloads"] = write_downloads(store, folder / game)
            found[game] = write_page(report, folder / game).as_uri()
        if game == "tictactoe":  # without ratings, shares of the points are drawn, up to 100.0 %
            report["ratings"] = {"problem": "no games connect them"}
            report["shares"] = {0: [1.0, 0.97, 1.0], 1: [0.0, 0.0, 0.03]}
            found["unrated"] = write_page(report, folder / "unrated").as_uri()
    return found


@pytest.fixture(scope="module")
def browser():
    options = Options()
    options.binary_location = BROWSER
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for argument in (*QUIET, f"--user-data-dir={profile}"):
            options.add_argument(argument)
        driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        yield driver
        driver.quit()


@pytest.fixture
def opened(browser, pages):
    """A function that opens a page; after the test, the page must have logged nothing and used no network."""

    def open_page(game="pentago", size=DESKTOP, scheme="light", address=""):
        show(browser, size, scheme)
        browser.get(f"{pages[game]}?{next(VISITS)}{address}")  # without the number, another #address would load nothing
        return settled(browser)

    for kind in ("browser", "performance"):
        browser.get_log(kind)
    yield open_page
    assert browser.get_log("browser") == []
    assert {address.partition(":")[0] for address in requested(browser)} <= {"file", "data", "about"}
    browser.execute_script("try { localStorage.clear() } catch { }")


def show(browser, size, scheme="light"):
    """Show this page and later ones on a screen of this size, with this colour scheme as the user's preference."""
    width, height = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == PHONE}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    wishes = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
    features = [{"name": name, "value": value} for name, value in wishes.items()]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")  # it is drawn anew


def requested(browser):
    """The addresses that pages have asked for, but for the page that the browser itself shows at its start."""
    messages = (json.loads(entry["message"])["message"] for entry in browser.get_log("performance"))
    requests = [said["params"] for said in messages if said["method"] == "Network.requestWillBeSent"]
    return [one["request"]["url"] for one in requests if not one["documentURL"].startswith("chrome:")]


def settled(browser):
    """The browser, once all files of games that the page has asked for are loaded."""
    WebDriverWait(browser, 60, POLL_SECONDS).until(lambda _: not many(browser, "[aria-busy=true]"))
    return browser


def one(browser, selector):
    return settled(browser).find_element(By.CSS_SELECTOR, selector)


def said(browser):
    return one(browser, "#now").text


def wait_for_address(browser, wanted):
    """Waits until the address is as wanted: the page writes it behind the click, and the browser tells it later."""
    WebDriverWait(browser, 60, POLL_SECONDS).until(lambda _: wanted(browser.current_url))


def press(browser, key):
    browser.switch_to.active_element.send_keys(key)


def shown_game(browser, row=1):
    """The browser, with the game of a row open."""
    rows(browser)[row].click()
    return settled(browser)


def last_ply(browser):
    return int(one(browser, "#ply").get_attribute("max"))


def many(browser, selector):
    """All elements, as they are now."""
    return browser.find_elements(By.CSS_SELECTOR, selector)


def found(browser, selector):
    """How many elements match."""
    return len(many(browser, selector))


def script(browser, code):
    """The value of an expression in the page, once the page's games are loaded."""
    return settled(browser).execute_script(f"return {code}")


def board(browser):
    return one(browser, "#board").get_attribute("innerHTML")


# --- The page -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["pentago", "go", "tictactoe"])
def test_a_page_has_all_its_sections_and_does_not_scroll_sideways(opened, game):
    browser = opened(game)
    sections = [element.get_attribute("id") for element in many(browser, "main > section")]
    assert sections == ["standings", "cross", "games", "faults", "usage", "absent", "settings", "downloads"]
    for size in (DESKTOP, PHONE):
        show(browser, size)
        assert script(browser, "document.documentElement.scrollWidth") <= size[0]
        extra = "box.scrollWidth - Math.max(box.clientWidth, box.firstChild.offsetWidth + padding)"
        padding = "padding = parseFloat(getComputedStyle(box).paddingRight)"
        beyond = f"[...document.querySelectorAll('.scroll')].map((box, _, __, {padding}) => {extra})"
        assert max(script(browser, beyond)) <= 1  # no arrow of a heading makes a table scroll
        assert one(browser, "#plot svg").is_displayed()
        one(browser, "tr.game").click()
        widths = "((dialog) => [dialog.scrollWidth, dialog.clientWidth])(document.querySelector('dialog'))"
        assert len(set(script(browser, widths))) == 1
        press(browser, Keys.ESCAPE)


def test_all_texts_are_readable_in_both_themes(opened):
    browser = opened()
    browser.execute_script("document.querySelectorAll('details').forEach((details) => (details.open = true))")
    for size, scheme in product((DESKTOP, PHONE), ("light", "dark")):
        show(browser, size, scheme)
        assert script(browser, "document.documentElement.dataset.theme") == scheme
        found = browser.execute_script(CONTRASTS, "body")
        one(browser, "#faults button").click()
        found += settled(browser).execute_script(CONTRASTS, "dialog")
        assert len(found) > 200
        assert [(size, scheme, *element) for element in found if element[0] < READABLE] == []
        press(browser, Keys.ESCAPE)


def test_the_theme_is_the_systems_until_somebody_chooses(opened):
    browser = opened(scheme="dark")
    button = one(browser, "#theme")
    assert button.text == "Light theme"
    dark = script(browser, "getComputedStyle(document.body).backgroundColor")
    button.click()
    assert button.text == "Dark theme"
    assert script(browser, "getComputedStyle(document.body).backgroundColor") != dark
    browser.refresh()
    assert script(browser, "document.documentElement.dataset.theme") == "light"


def test_authors_stand_beside_their_agents(opened):
    browser = opened("go")
    assert f"Ann Lee, {NASTY}" in next(row.text for row in standings(browser) if row.text.split()[1] == "alpha")
    assert "(Bob)" in one(browser, "#absent").text
    assert "Author" not in one(opened("pentago"), "#standings").text


def test_every_control_has_a_name(opened):
    browser = opened()
    for selector, least in (
        ("body > header :is(a, button), main :is(a, button:not([hidden]), select, input)", 50),
        ("dialog :is(a, button, select, input)", 10),
    ):
        controls = many(browser, selector)
        assert len(controls) > least
        assert [each.get_attribute("outerHTML") for each in controls if not each.accessible_name] == []
        if not one(browser, "dialog").is_displayed():
            shown_game(browser)


@pytest.mark.parametrize("width", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_no_label_of_a_plot_is_cut_off(opened, width):
    browser = opened("unrated", width)
    labels = browser.execute_script("""
        const plot = document.querySelector("#plot svg");
        const space = plot.viewBox.baseVal.width;
        return [...plot.querySelectorAll(".tick")].map((tick) => {
          const { x, width } = tick.getBBox();
          return [tick.textContent, x >= 0 && x + width <= space];
        });
    """)
    assert "100.0 %" in [text for text, _ in labels]
    assert all(is_whole for _, is_whole in labels)


def test_pressing_a_heading_puts_the_rows_in_order(opened):
    browser = opened()

    def texts(index):
        return [row.find_elements(By.CSS_SELECTOR, "th, td")[index].text for row in standings(browser)]

    headings = many(browser, "#standings thead th button")
    names = [heading.text for heading in headings]
    assert names[-2:] == ["Faults", "Late"]
    at = names.index("Points")
    for heading, sort in ((at, "descending"), (at, "ascending")):
        headings[heading].click()
        points = [float(text.replace("½", ".5")) for text in texts(at)]
        assert points == sorted(points, reverse=sort == "descending")
        states = [cell.get_attribute("aria-sort") for cell in many(browser, "#standings thead th")]
        assert [state for state in states if state] == [sort]
        assert states[at] == sort
    headings[names.index("Agent")].click()
    assert texts(1) == sorted(texts(1), key=str.lower)
    headings[0].click()
    assert texts(0) == ["1", "2", "3"]


def standings(browser):
    return many(browser, "#standings tbody tr")


def test_faults_stand_with_those_who_lost_by_them_and_open_their_game_at_its_end(opened):
    """Names and last words of agents are shown as they are."""
    browser = opened()
    assert NASTY in one(browser, "#standings").text
    assert many(browser, "img") == []
    (group,) = many(browser, ".fault-group")
    loser = one(browser, ".fault-group h3 a").text
    cells = {
        row.find_element(By.CSS_SELECTOR, "th").text: row.find_elements(By.CSS_SELECTOR, "td")
        for row in standings(browser)
    }
    assert {name: row[-2].text for name, row in cells.items()} == dict.fromkeys(NAMES[:3], "0") | {loser: "1"}
    assert all(int(row[-1].text) > 0 for row in cells.values())  # late moves
    assert group.find_element(By.CSS_SELECTOR, "h3").text == f"{loser} · 1 game: 1 crash"
    assert loser in group.find_element(By.CSS_SELECTOR, ".fault p").text
    one(browser, "#faults summary").click()
    assert one(browser, "#faults pre").text.startswith("</script><script>alert(2)</script>")
    one(browser, "#faults button.link").click()
    assert said(browser).startswith("Move 5 of 5")
    assert "SIGSEGV" in one(browser, "#verdict").text
    one(browser, "#verdict summary").click()
    assert one(browser, "#verdict pre").text.startswith("</script><script>alert(2)</script>")


def test_downloads_are_linked(opened):
    browser = opened()
    links = [link.get_attribute("href") for link in many(browser, "#downloads a")]
    assert [link.rpartition("/downloads/")[2] for link in links] == ["standings.csv", "games.csv", "games.jsonl"]
    assert all(Path(unquote(urlparse(link).path)).is_file() for link in links)


# --- The list of games ----------------------------------------------------------------------------------------------


def rows(browser):
    return many(browser, "tr.game")


def row_texts(browser):
    return script(browser, "[...document.querySelectorAll('tr.game')].map((row) => row.innerText)")


def test_games_can_be_chosen_by_their_agents_and_by_how_they_ended(opened):
    browser = opened()
    assert len(rows(browser)) == 50  # the page makes more rows on demand
    one(browser, "#games > button").click()
    assert len(rows(browser)) == 54
    assert not one(browser, "#games > button").is_displayed()
    one(browser, "table.cross button").click()
    agent, opponent, _ = chosen(browser)
    assert agent != opponent
    assert len(rows(browser)) == 18
    assert all(agent in text and opponent in text for text in row_texts(browser))
    choose(browser, "any", "any", "by any violation")
    assert len(rows(browser)) == 1
    assert "crash" in rows(browser)[0].text


def choose(browser, *texts):
    for select, text in zip(many(browser, ".filters select"), texts, strict=True):
        Select(select).select_by_visible_text(text)


def chosen(browser):
    selects = many(browser, ".filters select")
    return [Select(select).first_selected_option.text for select in selects]


def test_the_address_keeps_what_is_chosen(opened):
    browser = opened()
    one(browser, "table.cross button").click()
    before = chosen(browser)
    choose(browser, *before[:2], "normally")
    shown = len(rows(browser))
    browser.refresh()
    assert chosen(browser) == [*before[:2], "normally"]
    assert len(rows(browser)) == shown
    rows(browser)[1].click()
    wait_for_address(browser, lambda address: "&game=" in address)
    press(browser, Keys.ESCAPE)
    one(browser, "#nav a[href='#faults']").click()
    wait_for_address(browser, lambda address: address.endswith("#faults"))
    WebDriverWait(browser, 20, POLL_SECONDS).until(lambda _: script(browser, "history.state"))
    browser.refresh()
    wait_for_address(browser, lambda address: address.endswith("#faults"))
    assert chosen(browser) == [*before[:2], "normally"]


def test_each_agent_has_a_link_to_its_games(opened):
    browser = opened()
    for name in NAMES[:3]:
        next(link for link in many(browser, "#standings th a") if link.text == name).click()
        assert chosen(browser)[:2] == [name, "any"]
        assert len(rows(browser)) == 36
        assert all(name in text for text in row_texts(browser))
    wait_for_address(browser, lambda address: f"agent={name}" in unquote_plus(address))
    address = browser.current_url
    browser.get("about:blank")
    browser.get(address)
    assert chosen(browser)[0] == name


def test_an_address_that_names_nobody_here_chooses_nothing(opened):
    browser = opened(address="#agent=nobody&ended=nothing&game=999")
    assert chosen(browser) == ["any", "any", "in any way"]
    assert not one(browser, "#replayer").is_displayed()


def test_an_address_without_a_game_closes_the_game_that_was_shown(opened):
    browser = opened(address="#game=1")
    assert one(browser, "#replayer").is_displayed()
    browser.execute_script("location.hash = 'agent=alpha'")
    WebDriverWait(browser, 20, POLL_SECONDS).until(lambda _: not one(browser, "#replayer").is_displayed())
    assert chosen(browser) == ["alpha", "any", "in any way"]
    wait_for_address(browser, lambda address: address.endswith("#agent=alpha"))


def test_games_are_put_in_order_all_of_them_and_neighbours_follow(opened):
    browser = opened()
    headings = many(browser, "#games thead button")
    headings[[heading.text for heading in headings].index("Moves")].click()
    one(browser, "#games > button").click()
    texts = "[...document.querySelectorAll('tr.game')].map((row) => [...row.cells].map((cell) => cell.innerText))"
    cells = script(browser, texts)
    moves = [int(row[6]) for row in cells]
    assert len(moves) == 54
    assert moves == sorted(moves, reverse=True)
    shown_game(browser, 0)
    assert not one(browser, "#game-before").is_enabled()
    one(browser, "#game-after").click()
    assert one(browser, "#game-title").text == f"Game {cells[1][0]}, round 1"


@pytest.mark.parametrize(("game", "colours"), [("pentago", ["white", "black"]), ("go", ["black", "white"])])
def test_lists_show_stones_as_stones(opened, game, colours):
    browser = opened(game)
    kinds = "return [...document.querySelectorAll(arguments[0])].map((stone) => stone.className)"
    assert browser.execute_script(kinds, "tr.game:first-child .stone") == [f"stone {colour}" for colour in colours]
    rows(browser)[1].click()
    assert settled(browser).execute_script(kinds, "#moves .stone")[:2] == [f"stone {colour}" for colour in colours]
    assert browser.execute_script(kinds, "#players .stone") == [f"stone {colour}" for colour in colours]
    assert many(browser, "#moves .dot") == []


# --- The replayer ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["pentago", "go", "tictactoe"])
def test_keys_move_the_board(opened, game):
    browser = shown_game(opened(game))
    boards = [board(browser)]
    assert said(browser).startswith("The start of the game")
    for ply in (1, 2, 3):
        press(browser, Keys.ARROW_RIGHT)
        assert said(browser).startswith(f"Move {ply} of ")
        boards.append(board(browser))
    assert all(before != after for before, after in pairwise(boards))
    press(browser, Keys.ARROW_LEFT)
    assert board(browser) == boards[2]
    press(browser, Keys.END)
    last = last_ply(browser)
    assert said(browser).startswith(f"Move {last} of {last}")
    press(browser, Keys.HOME)
    assert board(browser) == boards[0]
    press(browser, Keys.ESCAPE)
    assert not one(browser, "#replayer").is_displayed()


def test_keys_belong_to_the_game_after_a_button_that_is_used_up_and_to_one_that_the_keyboard_has_reached(opened):
    browser = shown_game(opened())
    last = last_ply(browser)
    one(browser, "#ply-last").click()
    press(browser, Keys.ARROW_LEFT)
    assert said(browser).startswith(f"Move {last - 1} of {last}")
    browser.execute_script("document.querySelector('#ply-last').focus()")
    press(browser, Keys.SPACE)
    assert said(browser).startswith(f"Move {last} of {last}")
    assert not playing(browser)


def test_the_slider_moves_the_board_one_move_a_key_and_by_the_pointer(opened):
    browser = shown_game(opened())
    slider = one(browser, "#ply")
    slider.send_keys(Keys.ARROW_RIGHT)
    assert said(browser).startswith("Move 1 of ")
    before = board(browser)
    slider.click()  # in its middle
    ply = int(slider.get_attribute("value"))
    assert 1 < ply < int(slider.get_attribute("max"))
    assert said(browser).startswith(f"Move {ply} of ")
    assert slider.get_attribute("aria-valuetext").startswith(f"Move {ply} of ")
    assert board(browser) != before


def test_the_board_shows_the_stones_of_the_records_and_at_the_end_the_winning_five(opened):
    browser = opened(address="#game=2&move=8")
    assert said(browser).startswith("Move 8 of ")
    assert one(browser, "#board title").get_attribute("textContent").startswith("Move 8 of ")
    assert found(browser, "#board .white, #board .black") == 8
    assert [found(browser, f"#board .{mark}") for mark in ("turned", "arrow", "won")] == [1, 1, 0]
    press(browser, Keys.END)
    assert found(browser, "#board .won") >= 5
    assert "In a row: " in said(browser)
    press(browser, Keys.ARROW_LEFT)
    last = last_ply(browser)
    assert said(browser).startswith(f"Move {last - 1} of ")
    assert found(browser, "#board .won") == 0


def playing(browser):
    return one(browser, "#ply-play").get_attribute("aria-label") == "Pause"


def wait_for(browser, words):
    WebDriverWait(browser, 20, POLL_SECONDS).until(lambda _: said(browser).startswith(words))


def test_a_game_plays_by_itself_until_somebody_stops_it_or_its_end_and_then_begins_again(opened):
    browser = shown_game(opened())
    last = last_ply(browser)
    assert not playing(browser)
    for stop in (Keys.SPACE, Keys.ARROW_LEFT):  # a step stops it too
        press(browser, Keys.SPACE)
        assert playing(browser)
        wait_for(browser, "Move 1 of ")
        press(browser, stop)
        assert not playing(browser)
        press(browser, Keys.HOME)
    press(browser, Keys.END)
    press(browser, Keys.ARROW_LEFT)
    one(browser, "#ply-play").click()
    wait_for(browser, f"Move {last} of {last}")
    assert not playing(browser)
    press(browser, Keys.SPACE)  # after the click, keys still go to the game
    wait_for(browser, "Move 1 of ")
    press(browser, Keys.ESCAPE)
    assert not playing(browser)


def test_a_move_of_the_list_is_gone_to_and_marked(opened):
    browser = shown_game(opened(size=PHONE))
    settled(browser).find_elements(By.CSS_SELECTOR, "#moves button")[4].click()
    assert said(browser).startswith("Move 5 of ")
    assert one(browser, "#moves [aria-current]").text.startswith("5.")
    wait_for_address(browser, lambda address: "#game=2&move=5" in address)
    assert one(browser, "#spark svg").is_displayed()


def test_a_slider_that_is_drawn_asks_the_browser_for_few_changes_and_survives_a_refusal(opened):
    browser = opened(address="#game=2&move=0")
    written = browser.execute_script(
        """
        let written = 0;
        history.replaceState = () => { written += 1; throw new DOMException("too many", "SecurityError"); };
        const slider = document.querySelector("#ply");
        for (let i = 0; i < 200; i++) {
          slider.value = i % 2 ? slider.max : 0;
          slider.dispatchEvent(new Event("input"));
        }
        return written;
        """
    )
    assert written <= 1
    last = last_ply(browser)
    assert said(browser).startswith(f"Move {last} of {last}")


def test_a_game_whose_file_is_gone_says_so_and_others_are_shown(opened, tmp_path, pages):
    shutil.copytree(Path(unquote(urlparse(pages["tictactoe"]).path)).parent, tmp_path / "moved")
    (tmp_path / "moved" / "games" / "1.js").unlink()
    pages["moved"] = (tmp_path / "moved" / "index.html").as_uri()
    browser = opened("moved", address="#game=1")
    assert "games/1.js cannot be read: it belongs beside this page" in one(browser, "dialog").text
    browser.get_log("browser")  # the browser complains of it, too
    one(browser, "#game-after").click()
    assert said(browser).startswith("The start of the game")


def test_each_game_on_a_students_page_is_stepped_through_by_itself(opened, tmp_path, pages):
    page = tmp_path / "alpha.html"
    with read_store(Path(unquote(urlparse(pages["tictactoe"]).path)).parents[1] / "tictactoe.db") as store:
        write_document(tournament_blocks(store, "alpha"), page)
    pages["student"] = page.as_uri()
    first, second, *_ = opened("student").find_elements(By.CSS_SELECTOR, ".unforced-game")
    back, on = second.find_elements(By.CSS_SELECTOR, "button")
    ends = [shown_move(first), shown_move(second)]
    for button in (back, back, on):
        button.click()
    assert [shown_move(first), shown_move(second)] == [ends[0], ends[1] - 1]
    second.find_element(By.CSS_SELECTOR, "input").send_keys(Keys.HOME)
    assert [shown_move(first), shown_move(second)] == [ends[0], 0]


def test_a_students_page_breaks_long_words_instead_of_scrolling_sideways(opened, tmp_path, pages):
    page = tmp_path / "long.html"
    write_document([Block(kind, "a_long_word" * 30) for kind in ("h1", "h2", "p", "lines")], page)
    pages["long"] = page.as_uri()
    browser = opened("long")
    show(browser, PHONE)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= PHONE[0]


def shown_move(game):
    """The number of the one position of a student's game that is shown."""
    (caption,) = (line for line in game.text.splitlines() if line.startswith("Move "))
    return int(caption.split()[1])
