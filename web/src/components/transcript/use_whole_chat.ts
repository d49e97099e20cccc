import { options } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Returns true while every loaded turn must be in the document: to print the chat, and to find words in it with the browser's own search. */
export function useWholeChat(sessionId: string | undefined): boolean {
  const [reason, setReason] = useState<'print' | 'find'>();
  // The browser does not tell when its search ends.
  useEffect(() => setReason(undefined), [sessionId]);
  useEffect(() => {
    const beforePrint = () => renderAtOnce(() => setReason(before => before ?? 'print'));
    const afterPrint = () => setReason(before => (before === 'print' ? undefined : before));
    const onKeyDown = (event: KeyboardEvent) => isFindKey(event) && setReason('find');
    addEventListener('beforeprint', beforePrint);
    addEventListener('afterprint', afterPrint);
    addEventListener('keydown', onKeyDown);
    return () => {
      removeEventListener('beforeprint', beforePrint);
      removeEventListener('afterprint', afterPrint);
      removeEventListener('keydown', onKeyDown);
    };
  }, []);
  return reason !== undefined;
}

const isFindKey = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key === 'F3' || ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'f');

/** Renders before it returns: the browser reads the document when the listeners of `beforeprint` have returned. */
function renderAtOnce(change: () => void): void {
  const { debounceRendering } = options;
  options.debounceRendering = render => render();
  change();
  options.debounceRendering = debounceRendering;
}
