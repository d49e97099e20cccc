/**
 * Mails those whom a question or an approval asks by name, by role or by group, when there is an SMTP server. The mail holds no text of the chat. A
 * gateway that ends in that moment may lose it: push and webhooks are stored.
 */
import { ALL_APPROVERS, addressName, namesOfCaller } from '../../../port/approval_address';
import type { QuestionRecord } from '../../../port/store/questions';
import type { Store } from '../../../port/store/store';
import type { KeyRing } from '../../../service/auth/key_ring';
import type { Mailer, MailTexts } from '../../../service/mail/mailer';
import { inBoth } from '../../../utils/bilingual';
import { toIsoTime } from '../../../utils/iso_time';
import { mapLimited } from '../../../utils/map_limited';
import { emailOf } from '../person/new_person';

/** Connections to the SMTP server for the mails of one question. */
const MAX_CONNECTIONS = 4;

export interface AskedMailsDeps {
  store: Pick<Store, 'read'>;
  mailer: Pick<Mailer, 'isOn' | 'sendInBackground'>;
  keyRing: Pick<KeyRing, 'callersOf'>;
  onError: (message: string, thrown: unknown) => void;
}

export class AskedMails {
  /** Question and address -> the question. A retried transaction notes it again. */
  private noted = new Map<string, { question: QuestionRecord; to: string }>();

  constructor(private readonly deps: AskedMailsDeps) {}

  /** Notes whom a question asks. `to`: to whom it is passed on. */
  note(question: QuestionRecord, to = question.askedTo): void {
    if (!this.deps.mailer.isOn || to === undefined || to === ALL_APPROVERS) return;
    this.noted.set(`${question.id} ${to}`, { question, to: addressName(to) });
  }

  /** Sends what was noted. Call it after the transaction. */
  flush(): void {
    if (this.noted.size === 0) return;
    const noted = [...this.noted.values()];
    this.noted = new Map();
    for (const { question, to } of noted)
      void this.send(question, to).catch(thrown => this.deps.onError('those whom a question asks got no mail', thrown));
  }

  private async send(question: QuestionRecord, to: string): Promise<void> {
    const { store, mailer, keyRing } = this.deps;
    const { tenantId, approval } = question;
    const scope = approval ? 'approve' : 'chat';
    const named = keyRing
      .callersOf(tenantId)
      .filter(caller => caller.person && caller.scopes.has(scope) && namesOfCaller(caller).includes(to));
    const handles = new Set(named.map(({ keyName }) => keyName));
    // A rolled-back transaction leaves a note of a question that does not exist.
    if ((await store.read.questions.get(tenantId, question.id))?.status !== 'pending') return;
    const people = (await store.read.people.list(tenantId)).filter(({ handle }) => handles.has(handle));
    await mapLimited(people, MAX_CONNECTIONS, person =>
      mailer.sendInBackground({ email: emailOf(person), locale: person.locale }, mailOf(question)),
    );
  }
}

function mailOf({ approval, askedBy = '', expiresAt, id }: QuestionRecord): MailTexts {
  const until = toIsoTime(expiresAt);
  const [what, whatZh] = approval ? ['decide about a tool call', '决定一次工具调用'] : ['answer a question', '回答一个问题'];
  return {
    subject: inBoth('Neta asks you', 'Neta 在询问您'),
    text: inBoth(
      `The agent asks you to ${what}${askedBy && ` for ${askedBy}`}. Open Neta: it stands above your chat, and in "neta questions" as ${id}. It waits until ${until}.\n`,
      `智能体请您${whatZh}${askedBy && `（由 ${askedBy} 引起）`}。请打开 Neta：它显示在您的对话上方，也在 neta questions 中，编号 ${id}。有效至 ${until}。\n`,
    ),
  };
}
