/** The connections that follow a session and said that they can show an approval: who can be asked besides the one that started the run. */
import type { QuestionOwner } from './question_service';

export class ApproverPresence {
  private readonly followers = new Map<string, number>();

  /** Returns how to leave again. */
  join(owner: QuestionOwner): () => void {
    const key = keyOf(owner);
    this.followers.set(key, (this.followers.get(key) ?? 0) + 1);
    return () => {
      const left = (this.followers.get(key) ?? 0) - 1;
      if (left > 0) this.followers.set(key, left);
      else this.followers.delete(key);
    };
  }

  isThere(owner: QuestionOwner): boolean {
    return this.followers.has(keyOf(owner));
  }
}

const keyOf = ({ tenantId, sessionId }: QuestionOwner): string => `${tenantId}\n${sessionId}`;
