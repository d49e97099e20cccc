import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { callRest } from '../../api/call_rest';
import type { Page } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { copyText } from '../../components/basic/copy_button';
import { useModal } from '../../components/basic/use_modal';
import { formatMinute } from '../../i18n/format';
import { useLocale, useMessages } from '../../i18n/language_context';
import { ROOT } from '../../platform/root';
import { shareTexts } from './share_texts';
import './chat_dialogs.css';

type ShareRole = 'viewer' | 'guest';

interface Share {
  id: string;
  role: ShareRole;
  public: boolean;
  keyName?: string;
  createdAt: string;
  expiresAt: string;
  /** Present in the answer that made the link. */
  token?: string;
}

const DAYS = [1, 7, 30, 90, 365];
const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Makes links that show the chat to others, lists them and revokes them. */
export function ShareDialog({ controller, onClose }: { controller: ChatController; onClose: () => void }) {
  const messages = useMessages();
  const texts = shareTexts[useLocale()];
  const dialog = useModal();
  const titleId = useId();
  const [sessionId] = useState(controller.store.get().sessionId ?? '');
  const { shares, problem, isBusy, create, revoke } = useShares(sessionId, texts.failed);
  const [days, setDays] = useState(DEFAULT_DAYS);
  const [isPublic, setPublic] = useState(false);
  const [role, setRole] = useState<ShareRole>('viewer');
  const mayBePublic = controller.store.get().info?.publicShares === true;
  return (
    <dialog ref={dialog} class="dialog chat-dialog" aria-labelledby={titleId} data-testid="share-dialog" onClose={onClose}>
      <h2 id={titleId}>{texts.title}</h2>
      <p data-testid="share-note">{role === 'guest' ? texts.guestNote : texts.note}</p>
      <form
        class="share-form"
        onSubmit={event => {
          event.preventDefault();
          void create({ expiresAt: new Date(Date.now() + days * DAY_MS).toISOString(), role, public: isPublic || role === 'guest' });
        }}
      >
        <label>
          {texts.expires}
          <select value={days} data-testid="share-days" onChange={event => setDays(Number(event.currentTarget.value))}>
            {DAYS.map(count => (
              <option key={count} value={count}>
                {texts.days(count)}
              </option>
            ))}
          </select>
        </label>
        {mayBePublic && (
          <label>
            {texts.role}
            <select value={role} data-testid="share-role" onChange={event => setRole(event.currentTarget.value as ShareRole)}>
              <option value="viewer">{texts.viewer}</option>
              <option value="guest">{texts.guest}</option>
            </select>
          </label>
        )}
        {mayBePublic && role === 'viewer' && (
          <label class="share-check">
            <input
              type="checkbox"
              checked={isPublic}
              data-testid="share-public"
              onChange={event => setPublic(event.currentTarget.checked)}
            />
            {texts.isPublic}
          </label>
        )}
        <button type="submit" class="button primary" disabled={isBusy} data-testid="share-create">
          {texts.create}
        </button>
      </form>
      {problem && (
        <p class="form-error" role="alert">
          {problem}
        </p>
      )}
      <ul class="share-list" aria-label={texts.links}>
        {shares.map(share => (
          <ShareRow key={share.id} share={share} isBusy={isBusy} onRevoke={() => void revoke(share.id)} />
        ))}
      </ul>
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          {messages.close}
        </button>
      </div>
    </dialog>
  );
}

/** A link that was just made gets the focus, with its address selected. */
function ShareRow({ share, isBusy, onRevoke }: { share: Share; isBusy: boolean; onRevoke: () => void }) {
  const locale = useLocale();
  const messages = useMessages();
  const texts = shareTexts[locale];
  const [isCopied, setCopied] = useState(false);
  const address = useRef<HTMLInputElement>(null);
  useEffect(() => address.current?.focus(), []);
  const url = share.token && new URL(`${ROOT}shared#${share.token}`, location.href).href;
  return (
    <li data-testid="share-row">
      {url && (
        <span class="share-link">
          <input
            ref={address}
            type="text"
            readOnly
            value={url}
            aria-label={texts.link}
            data-testid="share-url"
            onFocus={event => event.currentTarget.select()}
          />
          <button type="button" class="button" onClick={async () => setCopied(await copyText(url))}>
            {isCopied ? messages.copied : messages.copy}
          </button>
        </span>
      )}
      <span class="share-facts">
        {share.role === 'guest' ? texts.writers : share.public ? texts.anyone : texts.tenant} ·{' '}
        {texts.until(formatMinute(share.expiresAt, locale))}
        {url ? ` · ${texts.once}` : ''}
      </span>
      <button type="button" class="link-button" disabled={isBusy} data-testid="share-revoke" onClick={onRevoke}>
        {texts.revoke}
      </button>
    </li>
  );
}

/** The links of the chat, newest first. `isBusy`: a request is under way. */
function useShares(sessionId: string, failed: string) {
  const [shares, setShares] = useState<readonly Share[]>([]);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const path = `/sessions/${encodeURIComponent(sessionId)}/shares`;
  const attempt = async (work: () => Promise<void>) => {
    setProblem(undefined);
    setBusy(true);
    await work().catch(thrown => setProblem(thrown instanceof Error ? thrown.message : failed));
    setBusy(false);
  };
  useEffect(() => {
    void attempt(async () => setShares((await callRest<Page<Share>>('GET', path)).data.toReversed()));
  }, [path]);
  return {
    shares,
    problem,
    isBusy,
    create: (fields: { expiresAt: string; role: ShareRole; public: boolean }) =>
      attempt(async () => {
        const made = await callRest<Share>('POST', path, fields);
        setShares(before => [made, ...before]);
      }),
    revoke: (id: string) =>
      attempt(async () => {
        await callRest('DELETE', `/shares/${encodeURIComponent(id)}`);
        setShares(before => before.filter(share => share.id !== id));
      }),
  };
}
