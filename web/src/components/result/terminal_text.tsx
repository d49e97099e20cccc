import Anser from 'anser';

/** Marks that a style sheet can show. Colours of programs are names, so that they fit both themes. */
function classOf({ fg, bg, decorations }: Anser.AnserJsonEntry): string | undefined {
  const names = [fg && colour('fg', fg), bg && colour('bg', bg), ...decorations.map(name => `ansi-${name}`)].filter(Boolean);
  return names.length > 0 ? names.join(' ') : undefined;
}

/** "ansi-bright-red" as "ansi-fg-red"; palette and true colours have no class. */
function colour(place: 'fg' | 'bg', name: string): string | undefined {
  const base = /^ansi-(?:bright-)?(black|red|green|yellow|blue|magenta|cyan|white)$/.exec(name)?.[1];
  return base && `ansi-${place}-${base}`;
}

/** Coloured parts that are shown. Each is an element of the page, so the text after them has no colours. */
const MAX_PARTS = 2_000;

/** Shows the output of a program with the colours of its escape sequences. */
export function TerminalText({ text }: { text: string }) {
  const all = Anser.ansiToJson(text, { json: true, use_classes: true, remove_empty: true });
  const parts = all.slice(0, MAX_PARTS);
  const rest = all.slice(MAX_PARTS).map(({ content }) => content);
  return (
    <>
      {parts.map((part, index) => (
        <span key={index} class={classOf(part)}>
          {part.content}
        </span>
      ))}
      {rest.join('')}
    </>
  );
}
