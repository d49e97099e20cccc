/** Draws formulas with KaTeX. A chunk of its own, loaded with the first formula. */
import katex from 'katex';
import 'katex/dist/katex.min.css';

/** Longer formulas are shown as they were written. Characters. */
const LIMIT = 4_000;

/** Replaces the text of the element, which is TeX, by its drawing. Text that KaTeX cannot read stays. */
export function drawFormula(element: HTMLElement, tex: string, displayMode: boolean): void {
  if (tex.length > LIMIT) return;
  try {
    // KaTeX builds elements and sets their styles one by one: the content security policy refuses styles inside html.
    katex.render(tex, element, { displayMode, throwOnError: true, strict: 'ignore', trust: false, maxSize: 30, maxExpand: 300 });
    element.classList.add('drawn');
  } catch {
    element.textContent = tex;
  }
}
