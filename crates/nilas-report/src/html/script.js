"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const one = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  // An element with text: what comes from the program never becomes markup.
  const element = (name, text, type) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (type) made.className = type;
    return made;
  };
  const line = (at) => at && document.getElementById("L" + at[0] + "-" + at[1]);
  const base = (file) => data.files[file].split("/").pop();

  one("#theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });

  // The box that a line of the source scrolls in.
  const around = (here) => here?.closest(".grid .source, section.source .text");

  // Scrolls inside of a box, and leaves the page where it is.
  const show = (box, inside) => {
    if (!box || !inside) return;
    const top = inside.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
    if (top < box.scrollTop + 30 || top + inside.clientHeight > box.scrollTop + box.clientHeight - 30) {
      box.scrollTop = top - box.clientHeight / 2;
    }
  };

  // ---- executions ----
  let walk = 0;
  let at = 0;
  const steps = () => data.walks[walk].steps;

  const known = () => {
    let values = new Map();
    steps().slice(0, at + 1).forEach((step, number) => {
      for (const change of step.c) {
        if (change.length === 1) {
          for (const [key, value] of values) if (value.owner >= change[0]) values.delete(key);
        } else {
          const [owner, name, value] = change;
          values.set(owner + " " + name, { owner, name, value, changed: number === at });
        }
      }
    });
    return [...values.values()];
  };

  const tellValues = (stack) => {
    const table = one("#values");
    table.replaceChildren();
    const values = known();
    // The variables of the innermost call first, those that outlive all calls last.
    const owners = [...new Set(values.map((it) => it.owner))].sort((a, b) => (b || -1) - (a || -1));
    for (const owner of owners) {
      const active = stack[owner - 1];
      if (owners.length > 1 || owner > 0) {
        const head = element("tr", undefined, "owner");
        const cell = element("th", owner === 0 ? "outside of calls" : active ? active[0] + "()" : "call " + owner);
        cell.colSpan = 2;
        head.append(cell);
        table.append(head);
      }
      for (const it of values.filter((it) => it.owner === owner)) {
        const row = element("tr", undefined, it.changed ? "changed" : "");
        row.append(element("th", it.name), element("td", it.value));
        table.append(row);
      }
    }
    if (!values.length) table.append(element("tr", "nothing was stored yet", "muted"));
  };

  const tellStack = (stack, step) => {
    const list = one("#stack");
    list.replaceChildren();
    let place = step.at;
    for (const [name, from] of [...stack].reverse()) {
      const item = element("li", name + "()");
      if (place) item.append(element("span", " " + base(place[0]) + ":" + place[1], "muted"));
      list.append(item);
      place = from;
    }
    // Automata have no calls.
    list.parentElement.hidden = !stack.length;
  };

  const tellLines = (stack) => {
    for (const it of all(".line.visited, .line.current, .line.caller")) {
      it.classList.remove("visited", "current", "caller", "failure");
      one(".values", it).replaceChildren();
    }
    // What happened when a line was passed last.
    const last = new Map();
    steps().slice(0, at + 1).forEach((step) => {
      const here = line(step.at);
      if (here) last.set(here, step);
    });
    for (const [here, step] of last) {
      here.classList.add("visited");
      const notes = step.n.filter((note) => note[0] !== "word" || step.n.length === 1);
      one(".values", here).replaceChildren(...notes.map((note) => element("span", note[1], "note " + note[0])));
    }
    for (const [, from] of stack) line(from)?.classList.add("caller");
    const now = steps()[at];
    const here = line(now.at);
    here?.classList.add("current");
    here?.classList.toggle("failure", now.k === "failure");
    show(around(here), here);
  };

  const go = (to) => {
    if (!data.walks.length) return;
    at = Math.max(0, Math.min(to, steps().length - 1));
    const step = steps()[at];
    const stack = data.walks[walk].stacks[step.s] || [];
    one("#position").value = "step " + (at + 1) + " of " + steps().length;
    const slide = one("#slide");
    slide.max = steps().length - 1;
    slide.value = at;
    one("#first").disabled = one("#back").disabled = at === 0;
    one("#last").disabled = one("#next").disabled = one("#over").disabled = at === steps().length - 1;
    const said = one("#said");
    said.replaceChildren(element("code", step.t));
    if (step.at) said.prepend(element("span", base(step.at[0]) + ":" + step.at[1] + " ", "muted"));
    said.append(element("br"), ...step.n.map((note) => element("span", note[1], "note " + note[0])));
    tellStack(stack, step);
    tellValues(stack);
    tellLines(stack);
    for (const it of all("ol.steps li.current")) it.classList.remove("current");
    const list = one('ol.steps[data-walk="' + walk + '"]');
    const item = one('li[data-step="' + at + '"]', list);
    item?.classList.add("current");
    show(list, item);
  };

  // The next step that is not deeper: calls are passed as a whole.
  const over = () => {
    const depth = steps()[at].d;
    let to = at + 1;
    while (to < steps().length - 1 && steps()[to].d > depth) to++;
    go(to);
  };

  const choose = (number) => {
    walk = number;
    for (const list of all("ol.steps")) list.hidden = Number(list.dataset.walk) !== walk;
    const which = one("#which");
    if (which) which.value = walk;
    go(steps().length - 1);
  };

  if (data.walks.length) {
    const buttons = {
      first: () => go(0),
      back: () => go(at - 1),
      next: () => go(at + 1),
      over,
      last: () => go(steps().length - 1),
    };
    for (const [id, act] of Object.entries(buttons)) one("#" + id).addEventListener("click", act);
    one("#slide").addEventListener("input", (event) => go(Number(event.target.value)));
    one("#which")?.addEventListener("change", (event) => choose(Number(event.target.value)));
    for (const list of all("ol.steps")) {
      list.addEventListener("click", (event) => {
        const item = event.target.closest("li");
        if (item) go(Number(item.dataset.step));
      });
    }
    for (const button of all("button.walk")) {
      button.addEventListener("click", () => {
        choose(Number(button.dataset.walk));
        one("#trace").scrollIntoView();
      });
    }
    const keys = {
      ArrowRight: buttons.next, j: buttons.next, ArrowLeft: buttons.back, k: buttons.back, o: over, Home: buttons.first,
      End: buttons.last,
    };
    document.addEventListener("keydown", (event) => {
      const act = keys[event.key];
      const busy = event.target.closest?.("input, select, textarea");
      if (!act || busy || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act();
    });
    choose(0);
  }

  // ---- the automaton and its frames ----
  for (const part of all(".frames")) {
    const graph = data.graphs[Number(part.dataset.graph)];
    const slider = one("input.frame", part);

    const frame = () => {
      const now = Number(slider.value);
      const frontier = Number(slider.dataset.frontier);
      const every = now > frontier;
      let told = every ? "what holds in every frame" : now + " of " + frontier;
      if (String(now) === slider.dataset.fixpoint) told += ": the invariant, it equals the frame before";
      one("output", part).value = told;
      for (const card of all(".card", part)) {
        const unreached = !every && now < Number(card.dataset.first);
        let count = 0;
        for (const lemma of all("li", card)) {
          const last = lemma.dataset.last;
          lemma.hidden = unreached || (last !== "" && (every || Number(last) < now));
          if (!lemma.hidden) count++;
        }
        const none = one(".none", card);
        none.hidden = count > 0;
        none.textContent = unreached ? "false: no way is that short" : "no lemma in this frame";
        const node = one('.node[data-node="' + card.dataset.node + '"]', part);
        node?.classList.toggle("unreached", unreached);
        const label = node && one(".count", node);
        if (label) label.textContent = unreached ? "false" : count === 1 ? "1 lemma" : count + " lemmas";
      }
    };
    if (slider) {
      slider.addEventListener("input", frame);
      frame();
    }

    const forget = () => {
      for (const it of all(".chosen", part)) it.classList.remove("chosen");
      for (const it of all(".line.passed")) it.classList.remove("passed");
    };
    const node = (chosen) => {
      forget();
      chosen.classList.add("chosen");
      const card = one('.card[data-node="' + chosen.dataset.node + '"]', part);
      card?.classList.add("chosen");
      card?.scrollIntoView({ block: "nearest" });
      const here = line(graph.nodes[Number(chosen.dataset.node)]);
      here?.classList.add("passed");
      show(around(here), here);
    };
    const arrow = (chosen) => {
      forget();
      chosen.classList.add("chosen");
      const lines = graph.arrows[Number(chosen.dataset.arrow)];
      for (const it of lines) line(it)?.classList.add("passed");
      show(around(line(lines[0])), line(lines[0]));
      const told = one(".arrow-lines", part);
      told.hidden = false;
      told.replaceChildren(element("span", lines.length ? "Passes " : "No line of the source stands for it."));
      lines.slice(0, 30).forEach((it, number) => {
        const link = element("a", base(it[0]) + ":" + it[1]);
        link.href = "#L" + it[0] + "-" + it[1];
        told.append(number ? ", " : "", link);
      });
      if (lines.length > 30) told.append(" and " + (lines.length - 30) + " more lines");
    };
    part.addEventListener("click", (event) => {
      const target = event.target.closest(".node, .arrow");
      if (target) (target.classList.contains("node") ? node : arrow)(target);
    });
    part.addEventListener("keydown", (event) => {
      const target = event.target.closest(".node");
      if (target && (event.key === "Enter" || event.key === " ")) {
        event.preventDefault();
        node(target);
      }
    });
  }
})();
