import { useState } from 'preact/hooks';
import type { ClarifyItem } from '../../state/view_types';
import { useKept } from '../basic/kept_state';

/** What the person has written and chosen for one question. The choice counts until the person types again. */
export interface DraftAnswer {
  text: string;
  chosen?: string;
}

export interface Answers {
  draftOf(requestId: string): DraftAnswer;
  /** Returns the answer that would be sent; undefined when there is none yet. */
  answerOf(requestId: string): string | undefined;
  write(requestId: string, draft: DraftAnswer): void;
  isSending(requestId: string): boolean;
  hasFailed(requestId: string): boolean;
  /** Sends the answers of these questions, each by itself. The drafts of those that fail stay. */
  send(questions: readonly ClarifyItem[]): Promise<void>;
}

const EMPTY: DraftAnswer = { text: '' };

/** Keeps the answers of a form until they are sent, also while the chat does not show it. `id`: of the first question. */
export function useAnswers(id: string, onAnswer: (requestId: string, answer: string) => Promise<boolean>): Answers {
  const [drafts, setDrafts] = useKept<Readonly<Record<string, DraftAnswer>>>(`answers ${id}`, {});
  const [sending, setSending] = useState<readonly string[]>([]);
  const [failed, setFailed] = useState<readonly string[]>([]);
  const draftOf = (requestId: string) => drafts[requestId] ?? EMPTY;
  const answerOf = (requestId: string) => {
    const { chosen, text } = draftOf(requestId);
    return chosen ?? (text.trim() || undefined);
  };
  const sendOne = async (requestId: string, answer: string) => {
    setSending(ids => [...ids, requestId]);
    setFailed(ids => ids.filter(id => id !== requestId));
    try {
      await onAnswer(requestId, answer);
    } catch {
      setFailed(ids => [...ids, requestId]);
    } finally {
      setSending(ids => ids.filter(id => id !== requestId));
    }
  };
  return {
    draftOf,
    answerOf,
    write: (requestId, draft) => setDrafts({ ...drafts, [requestId]: draft }),
    isSending: requestId => sending.includes(requestId),
    hasFailed: requestId => failed.includes(requestId),
    async send(questions) {
      await Promise.all(
        questions.map(({ requestId }) => {
          const answer = answerOf(requestId);
          return answer === undefined || sending.includes(requestId) ? undefined : sendOne(requestId, answer);
        }),
      );
    },
  };
}
