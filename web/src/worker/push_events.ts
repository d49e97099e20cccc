/** Shows notifications that the gateway pushes, and decides an approval from its notification. The gateway writes them: src/feature/push/push_writer.ts. */
import type { AskWhoLooks, NoticeData } from './worker_messages';

declare const self: ServiceWorkerGlobalScope;

const ROOT = new URL('./', self.location.href);
/** Milliseconds for which a notification waits for the answer of a page. */
const ANSWER_LIMIT_MS = 500;

interface PushNotice {
  kind: 'question' | 'approval' | 'end' | 'login';
  title: string;
  body: string;
  locale: 'en' | 'zh-CN';
  /** Absent for a login notice. */
  sessionId?: string;
  requestId?: string;
  chatHidden?: boolean;
  /** Decides the approval once, without a login. */
  token?: string;
}

/** The `data` of a pushed notification. */
interface PushData extends NoticeData, Pick<PushNotice, 'locale' | 'token'> {}

/** TypeScript does not know the buttons of a notification. */
type Options = NotificationOptions & { actions: { action: string; title: string }[]; renotify: boolean };

const TEXTS = {
  en: { allow: 'Allow once', deny: 'Deny', open: 'Open', failed: 'Nothing was decided', unreachable: 'The gateway cannot be reached.' },
  'zh-CN': { allow: '允许一次', deny: '拒绝', open: '打开', failed: '没有作出决定', unreachable: '无法连接网关。' },
};

/** Shows nothing while the person sees it in a chat page. */
export async function showPush(data: PushMessageData | null): Promise<void> {
  const notice = data?.json() as PushNotice | undefined;
  if (!notice) return;
  const { kind, title, body, locale, sessionId, requestId, chatHidden, token } = notice;
  if (sessionId === undefined) return showLogin(notice);
  if (await isSeen()) return;
  if (kind === 'end') await closeNotifications(sessionId);
  const { allow, deny, open } = TEXTS[locale];
  const decisions = token === undefined ? [] : [actionOf('allow', allow), actionOf('deny', deny)];
  const options: Options = {
    body,
    lang: locale,
    // Several approvals of a chat stand side by side; anything else of the chat replaces what was said before.
    tag: `neta.${kind === 'approval' || chatHidden ? requestId : sessionId}`,
    renotify: true,
    requireInteraction: kind === 'approval',
    // Chrome draws no SVG in a notification.
    icon: new URL('icon_192.png', ROOT).href,
    actions: [...decisions, actionOf('open', open)],
    data: { sessionId, waits: kind !== 'end', requestId, chatHidden, locale, token } satisfies PushData,
  };
  await self.registration.showNotification(title, options);
}

/** Shows what happened to the account also to a person who looks at the page: nothing there tells of it at once. */
async function showLogin({ title, body, locale }: PushNotice): Promise<void> {
  const icon = new URL('icon_192.png', ROOT).href;
  const data = { sessionId: '', waits: false } satisfies NoticeData;
  // No notice takes the place of another one.
  await self.registration.showNotification(title, { body, lang: locale, tag: `neta.login ${title}`, icon, data });
}

/** A visible page may show the login card, be offline or belong to another person, so each is asked. */
async function isSeen(): Promise<boolean> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const visible = pages.filter(({ url, visibilityState }) => new URL(url).pathname === ROOT.pathname && visibilityState === 'visible');
  return (await Promise.all(visible.map(askWhoLooks))).includes(true);
}

/** Resolves with false when the page does not answer in time: it is still loading, or of an older version. */
async function askWhoLooks(page: Client): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise<boolean>(resolve => {
    port1.onmessage = ({ data }) => resolve(data === true);
    setTimeout(() => resolve(false), ANSWER_LIMIT_MS);
  });
  page.postMessage({ type: 'who_looks' } satisfies AskWhoLooks, [port2]);
  return answer;
}

/** Returns true when the person pressed a button that decides an approval. Other presses are left to other listeners. */
export function decideFromNotification(event: NotificationEvent): boolean {
  const { action, notification } = event;
  const data = (notification.data ?? {}) as Partial<PushData>;
  if ((action !== 'allow' && action !== 'deny') || data.token === undefined) return false;
  notification.close();
  event.waitUntil(decide(data as PushData, action));
  return true;
}

/** Tells the person when the decision does not count. */
async function decide({ sessionId, requestId, locale, token }: PushData, decision: 'allow' | 'deny'): Promise<void> {
  const texts = TEXTS[locale];
  const reason = await send(`api/v1/actions/${token}`, { decision }, locale).catch(() => texts.unreachable);
  if (reason === undefined) return;
  const options = { body: reason, lang: locale, tag: `neta.${requestId}`, data: { sessionId } satisfies NoticeData };
  await self.registration.showNotification(texts.failed, options);
}

/** Resolves with the reason of a refusal; undefined when the gateway has taken the request. Rejects without an answer. */
async function send(path: string, body: object, locale: string): Promise<string | undefined> {
  const headers = { 'content-type': 'application/json', 'accept-language': locale };
  const response = await fetch(new URL(path, ROOT), { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.ok) return undefined;
  const { error } = ((await response.json().catch(() => undefined)) ?? {}) as { error?: { message?: string } };
  return error?.message ?? `HTTP ${response.status}`;
}

/** The questions of a run that has ended are over. */
async function closeNotifications(sessionId: string): Promise<void> {
  for (const shown of await self.registration.getNotifications())
    if ((shown.data as Partial<NoticeData> | null)?.sessionId === sessionId) shown.close();
}

const actionOf = (action: string, title: string) => ({ action, title });
