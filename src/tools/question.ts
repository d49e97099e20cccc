/** A question that a tool asks, whom it can ask, and what comes of it. */
import type { Escalation } from '../port/approval_review';
import type { GivenAnswer } from '../port/store/questions';

/** A question to a person; `choices`, when present, has at least one entry. */
export interface Question {
  question: string;
  choices?: string[];
  /** Whom the question asks; see port/approval_address.ts. Absent: the people of the chat. */
  to?: string;
  /** When and to whom it is passed on. */
  escalate?: Escalation;
}

/** The people of the tenant whom a question can ask. */
export interface Colleagues {
  /** Returns an address as questions store it; undefined when it names nobody who can answer. */
  findAddress(address: string): string | undefined;
  /** Returns addresses that a question can have, some at most. */
  listAddresses(): string[];
}

/** The answer of a person, or the reason why there is none. `decidedBy`: the API key that the answer came with. */
export type ClarifyOutcome = ({ status: 'answered' } & GivenAnswer) | { status: 'expired' } | { status: 'cancelled' };
