// What a test does in a page: it presses, clicks and slides, and writes down what is shown.
(() => {
  const seen = {};
  try {
    const text = (selector) => document.querySelector(selector)?.textContent ?? null;
    const all = (selector) => [...document.querySelectorAll(selector)];
    const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    const shown = (element) => Boolean(element?.checkVisibility());
    const slide = (input, value) => {
      input.value = value;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    };
    const step = () => ({
      position: document.querySelector("#position").value,
      said: text("#said"),
      current: all(".line.current").map((line) => line.id),
      beside: all(".line.current .values .note").map((note) => note.textContent),
      stack: all("#stack li").map((item) => item.textContent),
      values: all("#values tr:not(.owner)").map((row) => [...row.children].map((cell) => cell.textContent).join(" = ")),
      item: text("ol.steps:not([hidden]) li.current code"),
    });
    seen.title = document.title;
    seen.verdict = text("header .chip");
    seen.headline = text("h1");
    seen.sections = all("main section > h2").map((heading) => heading.textContent);
    seen.width = innerWidth;
    seen.wide = document.documentElement.scrollWidth > innerWidth;
    seen.images = document.images.length;

    if (document.querySelector("#trace")) {
      seen.end = step();
      press("Home");
      seen.first = step();
      seen.steps = [];
      for (let count = 0; count < 50 && !document.querySelector("#next").disabled; count++) {
        document.querySelector("#next").click();
        seen.steps.push(step());
      }
      press("k");
      seen.back = step();
      press("Home");
      press("o");
      seen.over = step();
      slide(document.querySelector("#slide"), 1);
      seen.slid = step();
      all("ol.steps:not([hidden]) li")[0].click();
      seen.clicked = step();
    }

    const invariant = document.querySelector(".text details.invariant");
    if (invariant) {
      seen.closed = shown(invariant.querySelector("li"));
      invariant.querySelector("summary").click();
      seen.opened = shown(invariant.querySelector("li"));
      seen.facts = [...invariant.querySelectorAll("li")].map((fact) => fact.textContent);
      seen.above = invariant.closest(".fact").previousElementSibling.id;
    }

    seen.nodes = all("svg .node").map((node) => node.textContent);
    const frame = document.querySelector("input.frame");
    if (frame) {
      const lemmas = () => all(".card li").filter(shown).map((lemma) => lemma.querySelector("code").textContent);
      const cards = () => all(".card .none").filter(shown).map((none) => none.textContent);
      seen.frames = [];
      for (let number = 0; number <= Number(frame.max); number++) {
        slide(frame, number);
        const label = document.querySelector(".slide output").value;
        const counts = all("svg .count").map((count) => count.textContent);
        seen.frames.push({ label, lemmas: lemmas(), none: cards(), counts });
      }
    }
    const node = all("svg .node").find((node) => node.classList.contains("plain"));
    if (node) {
      node.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      seen.chosen = all(".card.chosen h4").map((heading) => heading.textContent);
      seen.passed = all(".line.passed").map((line) => line.id);
    }
    const back = () => getComputedStyle(document.body).backgroundColor;
    seen.light = back();
    document.querySelector("#theme").click();
    seen.dark = back();
  } catch (error) {
    seen.error = String(error);
  }
  // The page is in a frame, whose width a window cannot have.
  parent.postMessage("driven:" + encodeURIComponent(JSON.stringify(seen)) + ":driven", "*");
})();
