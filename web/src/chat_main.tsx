import { render } from 'preact';
import { invitationToken } from './auth/invitation_token';
import { createChatController } from './chat/chat_controller';
import { loadMarkdown } from './components/answer/markdown_view';
import { ChatApp } from './components/page/chat_app';
import { loadToolDetails } from './components/transcript/tool_card';
import { createPreferences } from './platform/preferences';
import { ROOT } from './platform/root';
import { readSessionId, writeSessionId } from './platform/session_url';
import { findView } from './views/view_registry';
import './styles/chat_styles';

const preferences = createPreferences();
const controller = createChatController(preferences, {
  place: { read: readSessionId, write: writeSessionId },
  isView: name => findView(name) !== undefined,
  startOver: () => location.assign(ROOT),
  loadKeptChats: () => import('./offline/kept_chats'),
});
const app = document.body.querySelector('#app') ?? document.body;
app.replaceChildren();
// A link that is pasted over the address of the open page changes what is behind # alone, and the browser loads nothing.
// Without the link, as after Back, the page opens again, too.
const openedToken = invitationToken();
addEventListener('hashchange', () => {
  if (invitationToken() !== openedToken) location.reload();
});
render(<ChatApp controller={controller} preferences={preferences} />, app);
// After the first paint, so that the parts are there when the first answer comes, also when the gateway is away by then.
setTimeout(() => {
  void Promise.all([loadMarkdown(), loadToolDetails()]).catch(() => undefined);
  void import('./notices/notices').then(({ announceWork }) => announceWork(controller)).catch(() => undefined);
  void import('./offline/offline').then(({ prepareForOffline }) => prepareForOffline(controller)).catch(() => undefined);
});
