import { useLayoutEffect, useRef } from 'preact/hooks';
import { lazy } from '../basic/lazy';
import { asOnTerminal, hasColours } from './result_text';

/** The parser of colours loads with the first coloured output; until then the text stands as it is. */
const TerminalText = lazy<{ text: string }>(async () => (await import('./terminal_text')).TerminalText, PlainText);

function PlainText({ text }: { text: string }) {
  return <>{text}</>;
}

interface ResultBoxProps {
  text: string;
  /** A command, which stands before its output. */
  command?: string | undefined;
  /** Keeps the end visible while the text grows. */
  follow?: boolean;
  testId?: string;
}

/** Shows text in a box that scrolls; with a command, as a terminal. */
export function ResultBox({ text, command, follow, testId }: ResultBoxProps) {
  const shown = command !== undefined || hasColours(text) ? asOnTerminal(text) : text;
  const box = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => {
    if (follow && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [text, follow]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
    <pre class={command === undefined ? 'output' : 'output terminal'} ref={box} tabIndex={0} data-testid={testId}>
      {command !== undefined && <span class="prompt">{`$ ${command}\n`}</span>}
      {hasColours(shown) ? <TerminalText text={shown} /> : shown}
    </pre>
  );
}
