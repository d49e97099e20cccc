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

/** Shows the output of a program with the colours of its escape sequences. A line that was written again shows its last text. */
export function TerminalText({ text }: { text: string }) {
  const lines = text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map(line => line.slice(line.lastIndexOf('\r', line.length - 2) + 1));
  const parts = Anser.ansiToJson(lines.join('\n'), { json: true, use_classes: true, remove_empty: true });
  return (
    <>
      {parts.map((part, index) => (
        <span key={index} class={classOf(part)}>
          {part.content}
        </span>
      ))}
    </>
  );
}
