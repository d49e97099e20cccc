/** What <neta-chat> consists of: the button, the panel with the frame, and the note in its place. */
import styles from './widget.css?inline';

export interface WidgetParts {
  readonly button: HTMLButtonElement;
  readonly panel: HTMLElement;
  readonly frame: HTMLIFrameElement;
  /** Says that the chat is loading, or why it does not open. */
  readonly note: HTMLElement;
  readonly noteText: HTMLElement;
  readonly retry: HTMLButtonElement;
  readonly closePanel: HTMLButtonElement;
  /** Announces that the agent waits for the person. */
  readonly status: HTMLElement;
}

const SVG = 'http://www.w3.org/2000/svg';
const BUBBLE =
  'M5.500 3.500h13a2 2 0 0 1 2 2v8.500a2 2 0 0 1-2 2h-6l-5 4.500v-4.500h-2a2 2 0 0 1-2-2V5.500a2 2 0 0 1 2-2zM8 8.500h8M8 12h5';
const CROSS = 'M6 6l12 12M18 6L6 18';

/** Builds the parts in the shadow root. Its style sheet is no style element, so that it also works where the page forbids those. */
export function buildParts(root: ShadowRoot): WidgetParts {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [sheet];
  const frame = make('iframe', { part: 'frame', allow: 'clipboard-write', 'data-testid': 'neta-chat-frame' });
  const noteText = make('p', {});
  const retry = make('button', { type: 'button' });
  const closePanel = make('button', { type: 'button' });
  const note = make('div', { class: 'note', role: 'status', 'data-testid': 'neta-chat-note' }, noteText, retry, closePanel);
  const panel = make('section', { id: 'panel', part: 'panel', 'data-testid': 'neta-chat-panel' }, note, frame);
  const button = make(
    'button',
    { type: 'button', class: 'round', part: 'button', 'aria-controls': 'panel', 'data-testid': 'neta-chat-button' },
    drawing(BUBBLE, 'bubble'),
    drawing(CROSS, 'cross'),
    make('span', { class: 'badge', part: 'badge', 'data-testid': 'neta-chat-badge' }),
  );
  const status = make('span', { class: 'status', role: 'status' });
  root.append(panel, button, status);
  return { button, panel, frame, note, noteText, retry, closePanel, status };
}

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string>,
  ...children: Node[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function drawing(path: string, name: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', name);
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}
