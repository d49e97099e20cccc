import { useEffect, useId, useState } from 'preact/hooks';
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

interface Share {
  id: string;
  withoutLogin: boolean;
  keyName?: string;
  createdAt: string;
  expiresAt: string;
  /** Present in the answer that made the link. */
  token?: string;
}

const DAYS = [1, 7, 30, 90, 365];
const DEFAULT_DAYS = 30;

/** Makes links that show the chat to others, lists them and revokes them. */
export function ShareDialog({ controller, onClose }: { controller: ChatController; onClose: () => void }) {
  const messages = useMessages();
  const texts = shareTexts[useLocale()];
  const dialog = useModal();
  const titleId = useId();
  const [sessionId] = useState(controller.store.get().sessionId ?? '');
  const { shares, problem, create, revoke } = useShares(sessionId, texts.failed);
  const [days, setDays] = useState(DEFAULT_DAYS);
  const [withoutLogin, setWithoutLogin] = useState(false);
  const mayBeOpen = controller.store.get().info?.sharesWithoutLogin === true;
  return (
    <dialog ref={dialog} class="dialog chat-dialog" aria-labelledby={titleId} data-testid="share-dialog" onClose={onClose}>
      <h2 id={titleId}>{texts.title}</h2>
      <p>{texts.note}</p>
      <form
        class="share-form"
        onSubmit={event => {
          event.preventDefault();
          void create({ days, withoutLogin });
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
        {mayBeOpen && (
          <label class="share-check">
            <input
              type="checkbox"
              checked={withoutLogin}
              data-testid="share-open"
              onChange={event => setWithoutLogin(event.currentTarget.checked)}
            />
            {texts.withoutLogin}
          </label>
        )}
        <button type="submit" class="button primary" data-testid="share-create">
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
          <ShareRow key={share.id} share={share} onRevoke={() => void revoke(share.id)} />
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

function ShareRow({ share, onRevoke }: { share: Share; onRevoke: () => void }) {
  const locale = useLocale();
  const messages = useMessages();
  const texts = shareTexts[locale];
  const [isCopied, setCopied] = useState(false);
  const url = share.token && new URL(`${ROOT}shared#${share.token}`, location.href).href;
  return (
    <li data-testid="share-row">
      {url && (
        <span class="share-link">
          <input
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
        {share.withoutLogin ? texts.anyone : texts.tenant} · {texts.until(formatMinute(share.expiresAt, locale))}
        {url ? ` · ${texts.once}` : ''}
      </span>
      <button type="button" class="link-button" data-testid="share-revoke" onClick={onRevoke}>
        {texts.revoke}
      </button>
    </li>
  );
}

/** The links of the chat, newest first. */
function useShares(sessionId: string, failed: string) {
  const [shares, setShares] = useState<readonly Share[]>([]);
  const [problem, setProblem] = useState<string>();
  const path = `/sessions/${encodeURIComponent(sessionId)}/shares`;
  const attempt = async (work: () => Promise<void>) => {
    setProblem(undefined);
    await work().catch(thrown => setProblem(thrown instanceof Error ? thrown.message : failed));
  };
  useEffect(() => {
    void attempt(async () => setShares((await callRest<Page<Share>>('GET', path)).data.toReversed()));
  }, [path]);
  return {
    shares,
    problem,
    create: (fields: { days: number; withoutLogin: boolean }) =>
      attempt(async () => {
        const made = await callRest<Share>('POST', path, fields);
        setShares(before => [made, ...before]);
      }),
    revoke: (id: string) =>
      attempt(async () => {
        await callRest('DELETE', `${path}/${encodeURIComponent(id)}`);
        setShares(before => before.filter(share => share.id !== id));
      }),
  };
}
