import { memo } from './memo';

/** Shows a unified diff, with or without the lines that name the files; colour and sign mark the added and removed lines. */
export const DiffView = memo(({ diff }: { diff: string }) => {
  const lines = diff.replace(/\n$/, '').split('\n');
  const firstHunk = lines.findIndex(line => line.startsWith('@@'));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
    <pre class="diff" tabIndex={0} data-testid="diff">
      {lines.map((line, index) => (
        <span key={index} class={`diff-line ${index < firstHunk ? 'hunk' : lineKind(line)}`}>
          {line || ' '}
          {'\n'}
        </span>
      ))}
    </pre>
  );
});

function lineKind(line: string): 'added' | 'removed' | 'hunk' | 'context' {
  if (line.startsWith('@@')) return 'hunk';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'context';
}
