import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { isOver, type Turn } from '../../state/view_types';

/** Time that a turn stays on the screen before its details load, in milliseconds. Turns that scroll by are not read. */
const REST_MS = 250;

/** Loads the details of a turn that came from stored messages when it is on the screen: summaries, other models, durations, diffs. */
export function useDetailsInView({ runId, lastSeq, ...turn }: Turn, controller: ChatController): RefObject<HTMLElement> {
  const element = useRef<HTMLElement>(null);
  const isIncomplete = runId !== undefined && lastSeq === 0 && isOver({ ...turn, lastSeq });
  useEffect(() => {
    if (!isIncomplete || !element.current) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(entries => {
      clearTimeout(timer);
      if (!entries.at(-1)?.isIntersecting) return;
      timer = setTimeout(() => {
        observer.disconnect();
        controller.enrich(runId);
      }, REST_MS);
    });
    observer.observe(element.current);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [isIncomplete, runId]);
  return element;
}
