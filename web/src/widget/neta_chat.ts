/** <neta-chat>: a chat with an agent of a gateway, for any web page. The chat itself is a frame, docs/guides/embed.md describes both. */
import { type FrameLink, openFrame } from './frame_link';
import type { FrameOptions, FromFrame } from './frame_messages';
import { buildParts, type WidgetParts } from './widget_parts';
import { type WidgetTexts, widgetTexts } from './widget_texts';

/** The address of this script, beside which the gateway has the chat; '' for a module, which does not know it. */
const SCRIPT = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : '';

class NetaChat extends HTMLElement {
  static readonly observedAttributes = ['src', 'agent', 'lang', 'theme', 'title', 'open', 'inline'];

  #key: string | undefined;
  #parts: WidgetParts | undefined;
  #link: FrameLink | undefined;
  #isReady = false;
  #isWaiting = false;
  /** The panel was opened by a person or a program, not with the page: it takes the focus when it is ready. */
  #takesFocus = false;
  /** The element that had the focus before. */
  #before: HTMLElement | undefined;

  /** An API key for this person. It stays in the memory of both pages, and goes to the gateway alone. */
  set key(key: string | undefined) {
    this.#key = key;
    this.#sendOptions();
  }

  /** Opens the panel and moves the focus into it. */
  open(): void {
    if (this.hasAttribute('open')) return;
    this.#takesFocus = true;
    this.#before = document.activeElement instanceof HTMLElement ? document.activeElement : undefined;
    this.setAttribute('open', '');
  }

  /** Closes the panel and gives the focus back. */
  close(): void {
    this.removeAttribute('open');
  }

  /** Sends a message of the person, also while the panel is closed. */
  send(text: string): void {
    this.#load();
    this.#link?.post({ type: 'send', text });
  }

  connectedCallback(): void {
    // Set before this script was there.
    if (Object.hasOwn(this, 'key')) {
      const { key } = this as { key?: string };
      Reflect.deleteProperty(this, 'key');
      this.key = key;
    }
    this.#parts ??= this.#build();
    this.#label();
    if (this.hasAttribute('inline') || this.hasAttribute('open')) this.#load();
  }

  disconnectedCallback(): void {
    this.#unload();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (!this.isConnected || !this.#parts || before === now) return;
    if (name === 'src' || name === 'agent') {
      const wasLoaded = this.#link !== undefined;
      this.#unload();
      if (wasLoaded) this.#load();
    }
    if (name === 'inline' && now !== null) this.#load();
    // First, because the button that takes the focus is hidden on a phone while the panel is open.
    this.#label();
    if (name === 'open' && (before === null) !== (now === null)) this.#toggle(now !== null);
    this.#sendOptions();
  }

  get #lang(): FrameOptions['lang'] {
    const own = this.getAttribute('lang');
    const asked = own && own !== 'auto' ? own : document.documentElement.lang || navigator.language;
    return asked.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en';
  }

  get #texts(): WidgetTexts {
    return widgetTexts[this.#lang];
  }

  get #isOpen(): boolean {
    return this.hasAttribute('open') || this.hasAttribute('inline');
  }

  #build(): WidgetParts {
    const parts = buildParts(this.attachShadow({ mode: 'open' }));
    parts.button.onclick = () => (this.hasAttribute('open') ? this.close() : this.open());
    parts.closePanel.onclick = () => this.close();
    parts.retry.onclick = () => {
      this.#unload();
      this.#load();
    };
    this.shadowRoot?.addEventListener('keydown', event => {
      if ((event as KeyboardEvent).key === 'Escape' && this.hasAttribute('open')) this.close();
    });
    return parts;
  }

  /** Opens the frame, once. Nothing of the chat is loaded before the person wants it. */
  #load(): void {
    const parts = this.#parts;
    if (!parts || this.#link || !this.isConnected) return;
    const address = this.#address();
    this.#note(address ? this.#texts.loading : this.#texts.noAddress, !address);
    if (!address) return;
    const gateway = new URL('.', address).href.replace(/\/$/, '');
    this.#link = openFrame(parts.frame, address, {
      onMessage: message => this.#receive(message),
      onSilence: () => this.#note(this.#texts.refused(gateway, location.origin), true),
    });
  }

  #unload(): void {
    this.#link?.end();
    this.#link = undefined;
    this.#isReady = false;
    this.#setWaiting(false);
    this.#parts?.frame.removeAttribute('data-shown');
    this.#parts?.frame.removeAttribute('src');
  }

  /**
   * The address of the frame. It names the origin of this page, which the frame speaks to, and holds no secret. Undefined unless it is an http or https
   * address: a frame with a `javascript:` address would run the script in this page.
   */
  #address(): URL | undefined {
    const gateway = this.getAttribute('src') ?? (SCRIPT && new URL('.', SCRIPT).href);
    if (!gateway || !URL.canParse(gateway, document.baseURI)) return undefined;
    const base = new URL(gateway, document.baseURI);
    if (base.protocol !== 'http:' && base.protocol !== 'https:') return undefined;
    const address = new URL(`${base.href.replace(/\/*$/, '')}/embed`);
    address.searchParams.set('origin', location.origin);
    const agent = this.getAttribute('agent');
    if (agent) address.searchParams.set('agent', agent);
    return address;
  }

  #receive(message: FromFrame): void {
    const parts = this.#parts;
    if (!parts) return;
    if (message.type === 'hello') {
      // The frame may load anew.
      this.#isReady = false;
      this.#setWaiting(false);
      parts.frame.removeAttribute('data-shown');
      this.#note(this.#texts.loading);
      this.#sendOptions();
    } else if (message.type === 'ready') {
      this.#isReady = true;
      parts.note.hidden = true;
      parts.frame.setAttribute('data-shown', '');
      this.#focusChat();
    } else if (message.type === 'close') this.close();
    else if (message.type === 'question') {
      const { isWaiting, sessionId, kind } = message;
      this.#setWaiting(isWaiting);
      if (isWaiting) this.#tell('question', { sessionId, kind });
    } else if (message.type === 'end') {
      const { sessionId, runId, state } = message;
      this.#tell('end', { sessionId, runId, state });
    }
  }

  #sendOptions(): void {
    const theme = this.getAttribute('theme');
    const options: FrameOptions = {
      lang: this.#lang,
      theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
      title: this.getAttribute('title') ?? '',
      isPanel: !this.hasAttribute('inline'),
      key: this.#key,
    };
    this.#link?.post({ type: 'options', options });
  }

  #toggle(isOpen: boolean): void {
    if (isOpen) {
      this.#load();
      this.#focusChat();
    } else {
      this.#takesFocus = false;
      // The focus stays where it is when the person has moved on.
      if (document.activeElement === this) this.#leave();
    }
    this.#tell(isOpen ? 'open' : 'close');
  }

  /** Gives the focus to the element that had it before the panel was opened, else to the button. */
  #leave(): void {
    const before = this.#before;
    if (before?.isConnected && before !== this && before !== document.body) before.focus();
    else this.#parts?.button.focus();
  }

  #focusChat(): void {
    if (!this.#takesFocus || !this.#isReady) return;
    this.#takesFocus = false;
    this.#parts?.frame.focus();
    this.#link?.post({ type: 'focus' });
  }

  #setWaiting(isWaiting: boolean): void {
    this.#isWaiting = isWaiting;
    this.#label();
  }

  #note(text: string, isFailure = false): void {
    const { note, noteText } = this.#parts ?? {};
    if (!note || !noteText) return;
    note.hidden = false;
    note.toggleAttribute('data-failed', isFailure);
    noteText.textContent = text;
  }

  /** Writes the texts and states that follow from the attributes. */
  #label(): void {
    if (!this.#parts) return;
    const { button, panel, frame, retry, closePanel, status } = this.#parts;
    const texts = this.#texts;
    const title = this.getAttribute('title') || texts.title;
    const isHidden = this.#isWaiting && !this.#isOpen;
    button.setAttribute('aria-expanded', String(this.hasAttribute('open')));
    button.setAttribute('aria-label', this.hasAttribute('open') ? texts.close(title) : texts.open(title));
    button.toggleAttribute('data-waits', isHidden);
    status.textContent = isHidden ? texts.waits : '';
    panel.setAttribute('role', this.hasAttribute('inline') ? 'region' : 'dialog');
    panel.setAttribute('aria-label', title);
    frame.title = title;
    retry.textContent = texts.retry;
    closePanel.textContent = texts.closePanel;
  }

  #tell(name: 'open' | 'close' | 'question' | 'end', detail?: object): void {
    this.dispatchEvent(new CustomEvent(`neta-${name}`, { bubbles: true, composed: true, detail }));
  }
}

if (!customElements.get('neta-chat')) customElements.define('neta-chat', NetaChat);
