import { memo } from './memo';

/** Shows a unified diff; colour and sign mark the added and removed lines. */
export const DiffView = memo(({ diff }: { diff: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
  <pre class="diff" tabIndex={0} data-testid="diff">
    {diff
      .replace(/\n$/, '')
      .split('\n')
      .map((line, index) => (
        <span key={index} class={`diff-line ${lineKind(line)}`}>
          {line || ' '}
          {'\n'}
        </span>
      ))}
  </pre>
));

function lineKind(line: string): 'added' | 'removed' | 'hunk' | 'context' {
  if (line.startsWith('@@') || line.startsWith('+++') || line.startsWith('---')) return 'hunk';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'context';
}
