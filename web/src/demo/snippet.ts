/** The lines that a person copies into another page. */

export interface WidgetChoices {
  place: 'corner' | 'inline';
  lang: 'auto' | 'en' | 'zh-CN';
  theme: 'auto' | 'light' | 'dark';
  title: string;
}

/** Returns HTML. `gateway`: the address of the gateway without a slash at the end. */
export function snippetOf(gateway: string, { place, lang, theme, title }: WidgetChoices): string {
  const attributes = [
    `src="${gateway}"`,
    title !== '' && `title="${escapeText(title)}"`,
    lang !== 'auto' && `lang="${lang}"`,
    theme !== 'auto' && `theme="${theme}"`,
    place === 'inline' && 'inline',
  ].filter(attribute => attribute !== false);
  return `<script src="${gateway}/neta-chat.js" async></script>\n<neta-chat ${attributes.join(' ')}></neta-chat>`;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };

const escapeText = (text: string): string => text.replaceAll(/[&"<>]/g, character => ESCAPES[character] ?? character);
