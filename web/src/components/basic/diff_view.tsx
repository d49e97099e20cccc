import { type DiffLine, readDiff } from './diff_lines';
import { memo } from './memo';

/** Shows a unified diff with line numbers; colour and sign mark the added and removed lines, and a mark the words that differ. */
export const DiffView = memo(({ diff }: { diff: string }) => {
  const lines = readDiff(diff);
  const isNumbered = lines.some(({ number }) => number !== undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
    <pre class={isNumbered ? 'diff numbered' : 'diff'} tabIndex={0} data-testid="diff">
      {lines.map((line, index) => (
        <span key={index} class={`diff-line ${line.kind}`} data-number={line.number}>
          <LineText line={line} />
          {'\n'}
        </span>
      ))}
    </pre>
  );
});

function LineText({ line: { kind, text, changed } }: { line: DiffLine }) {
  if (kind === 'gap') return <>⋯</>;
  if (!changed || changed[0] >= changed[1]) return <>{text || ' '}</>;
  return (
    <>
      {text.slice(0, changed[0])}
      <span class="diff-words">{text.slice(changed[0], changed[1])}</span>
      {text.slice(changed[1])}
    </>
  );
}
