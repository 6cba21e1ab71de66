// What is measured inside a page. It is JavaScript because the project's types describe no page of a browser; it reaches
// the page as text, and what it says is parsed by zod on the other side. Each check returns a list of complaints.
(() => {
  /** How many complaints of one kind are told. */
  const TOLD = 12;

  /** Where an element is, for people: tags with text around. */
  function whereabouts(element) {
    const path = [];
    for (let at = element; at !== null && at !== document.body && path.length < 5; at = at.parentElement) {
      path.unshift(at.localName + (at.id === "" ? "" : `#${at.id}`));
    }
    const text = (element.textContent ?? "").replaceAll(/\s+/g, " ").trim().slice(0, 70);
    return `${path.join(" > ")} "${text}"`;
  }

  /** Whether people can see it: it takes room, and no folded `<details>` or style hides it. */
  function visible(element) {
    return element.checkVisibility({
      opacityProperty: true,
      visibilityProperty: true,
      contentVisibilityAuto: true,
    }) &&
      element.getClientRects().length > 0;
  }

  /** Whether what is wider than it can be reached by scrolling, or is clipped on purpose. */
  function holds(style) {
    return style.overflowX !== "visible";
  }

  /** Whether an element around scrolls or clips sideways. `known`: the answers so far. */
  function held(element, known) {
    const around = element.parentElement;
    if (around === null) return false;
    if (!known.has(around)) known.set(around, holds(getComputedStyle(around)) || held(around, known));
    return known.get(around);
  }

  /** Elements that stand out of the page or of the element around them sideways. `root`: a selector. */
  function overflows(root) {
    const complaints = [], known = new Map();
    const edge = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > edge) {
      complaints.push(
        `the page is ${document.documentElement.scrollWidth} px wide in a window of ${edge} px`,
      );
    }
    for (const within of document.querySelectorAll(root)) {
      for (const element of [within, ...within.querySelectorAll("*")]) {
        if (!visible(element) || element.closest("svg") !== null && element.localName !== "svg") continue;
        const box = element.getBoundingClientRect();
        if (!held(element, known) && (box.right > edge + 1 || box.left < -1)) {
          complaints.push(
            `${whereabouts(element)} reaches from ${Math.round(box.left)} to ${Math.round(box.right)}`,
          );
        }
        if (
          element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 &&
          getComputedStyle(element).display !== "inline" && !holds(getComputedStyle(element))
        ) {
          complaints.push(
            `${whereabouts(element)} holds ${element.scrollWidth} px in ${element.clientWidth} px`,
          );
        }
      }
    }
    return complaints.slice(0, TOLD);
  }

  /** Elements that are wider than their room and have to be scrolled sideways, by how many pixels. */
  function scrolled(root) {
    const found = [];
    for (const within of document.querySelectorAll(root)) {
      for (const element of [within, ...within.querySelectorAll("*")]) {
        if (
          visible(element) && holds(getComputedStyle(element)) &&
          element.scrollWidth > element.clientWidth + 1
        ) {
          found.push(`${whereabouts(element)}: ${element.scrollWidth - element.clientWidth} px`);
        }
      }
    }
    return found;
  }

  /** A CSS colour as red, green, blue from 0 to 255 and alpha from 0 to 1. */
  function rgba(color) {
    const known = rgba.known ??= new Map();
    if (!known.has(color)) known.set(color, painted(color));
    return known.get(color);
  }

  function painted(color) {
    const canvas = painted.canvas ??= new OffscreenCanvas(1, 1).getContext("2d", {
      willReadFrequently: true,
    });
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = "#000";
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return { r, g, b, a: a / 255 };
  }

  function over(top, ground, opacity = 1) {
    const a = top.a * opacity;
    const mix = (key) => top[key] * a + ground[key] * (1 - a);
    return { r: mix("r"), g: mix("g"), b: mix("b"), a: 1 };
  }

  /** Relative luminance (WCAG 2.2). */
  function luminance({ r, g, b }) {
    const [x, y, z] = [r, g, b].map((channel) => {
      const c = channel / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  }

  /** Contrast of two colours, from 1 to 21 (WCAG 2.2). */
  function contrast(one, other) {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }

  /** What is painted behind an element of HTML, by its ancestors' grounds; their opacity thins all that is within. */
  function groundOf(element, known) {
    if (element === null) return { ground: { r: 255, g: 255, b: 255, a: 1 }, opacity: 1 };
    if (known.has(element)) return known.get(element);
    const around = groundOf(element.parentElement, known);
    const style = getComputedStyle(element);
    const opacity = around.opacity * Number(style.opacity);
    const found = { ground: over(rgba(style.backgroundColor), around.ground, opacity), opacity };
    known.set(element, found);
    return found;
  }

  /** What is painted behind a point of a picture: its shapes below the text in order, on the picture's own ground. */
  function groundInPicture(text, box, known) {
    const svg = text.ownerSVGElement;
    let { ground } = groundOf(svg, known);
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    for (const { shape, frame, inverse, fill, opacity } of filledShapes(svg, known)) {
      if ((text.compareDocumentPosition(shape) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0) break;
      if (x < frame.left || x > frame.right || y < frame.top || y > frame.bottom) continue;
      if (shape.isPointInFill(new DOMPoint(x, y).matrixTransform(inverse))) {
        ground = over(fill, ground, opacity);
      }
    }
    return ground;
  }

  /** The shapes of a picture that cover what is behind them, in their order. `known`: those that were asked for so far. */
  function filledShapes(svg, known) {
    const pictures = known.pictures ??= new Map();
    if (!pictures.has(svg)) {
      pictures.set(
        svg,
        [...svg.querySelectorAll("rect, circle, ellipse, path, polygon")].flatMap((shape) => {
          if (shape.closest("defs, clipPath, mask, symbol, marker") !== null || !visible(shape)) return [];
          const style = getComputedStyle(shape), matrix = shape.getScreenCTM();
          if (style.fill === "none" || style.fill.startsWith("url") || matrix === null) return [];
          return [{
            shape,
            frame: shape.getBoundingClientRect(),
            inverse: matrix.inverse(),
            fill: rgba(style.fill),
            opacity: Number(style.fillOpacity) * opacityIn(shape),
          }];
        }),
      );
    }
    return pictures.get(svg);
  }

  /** The opacity of an element of a picture, with that of the groups around it. */
  function opacityIn(element) {
    let opacity = 1;
    for (let at = element; at !== null && at.localName !== "svg"; at = at.parentElement) {
      opacity *= Number(getComputedStyle(at).opacity);
    }
    return opacity;
  }

  /** The text nodes that are seen. */
  function* texts(root) {
    for (const within of document.querySelectorAll(root)) {
      const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        if (node.data.trim() === "" || node.parentElement === null || !visible(node.parentElement)) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const box = range.getBoundingClientRect();
        if (box.width > 0 && box.height > 0) yield { node, element: node.parentElement, box };
      }
    }
  }

  /** Visible text with less contrast than `least` against what is behind it; large text is no exception. */
  function faintTexts(root, least) {
    const worst = new Map(), known = new Map();
    let seen = 0;
    for (const { node, element, box } of texts(root)) {
      seen++;
      const inPicture = element.ownerSVGElement !== undefined && element.ownerSVGElement !== null;
      const style = getComputedStyle(element);
      let color, ground;
      if (inPicture) {
        ground = groundInPicture(element, box, known);
        color = over(rgba(style.fill), ground, Number(style.fillOpacity) * opacityIn(element));
      } else {
        const behind = groundOf(element, known);
        ground = behind.ground;
        color = over(rgba(style.color), ground, behind.opacity);
      }
      const found = contrast(color, ground);
      if (found >= least) continue;
      const name = ({ r, g, b }) => `rgb(${[r, g, b].map(Math.round).join(" ")})`;
      const kind = `${name(color)} on ${name(ground)}`;
      if (!worst.has(kind)) {
        const text = node.data.replaceAll(/\s+/g, " ").trim().slice(0, 50);
        worst.set(kind, `${found.toFixed(2)}:1, ${kind}: ${whereabouts(element)} "${text}"`);
      }
    }
    return seen === 0 ? ["no text is to be seen"] : [...worst.values()].slice(0, TOLD);
  }

  /** The labels of each picture: text, box in pixels of the window, and size of its letters as shown. */
  function labels(root) {
    return [...document.querySelectorAll(`${root} svg, ${root}svg`)].filter((svg) =>
      svg.ownerSVGElement === null && visible(svg)
    ).map((svg) => {
      const frame = svg.getBoundingClientRect();
      const zoom = svg.viewBox.baseVal.width > 0 ? frame.width / svg.viewBox.baseVal.width : 1;
      return {
        title: svg.querySelector("title")?.textContent ?? "",
        frame: { left: frame.left, top: frame.top, right: frame.right, bottom: frame.bottom },
        zoom,
        labels: [...svg.querySelectorAll("text")].filter((text) =>
          visible(text) && text.textContent.trim() !== ""
        )
          .map((text) => {
            const box = text.getBoundingClientRect();
            return {
              text: text.textContent,
              size: parseFloat(getComputedStyle(text).fontSize) * zoom,
              box: { left: box.left, top: box.top, right: box.right, bottom: box.bottom },
            };
          }),
      };
    });
  }

  globalThis.looking = { overflows, scrolled, faintTexts, labels };
})();
