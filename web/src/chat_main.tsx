import { render } from 'preact';
import { createChatController } from './chat/chat_controller';
import { loadMarkdown } from './components/answer/markdown_view';
import { ChatApp } from './components/page/chat_app';
import { loadToolDetails } from './components/transcript/tool_card';
import { createPreferences } from './platform/preferences';
import { findView } from './views/view_registry';
import './styles/tokens.css';
import './styles/base.css';
import './styles/overlays.css';
import './styles/layout.css';
import './styles/sessions.css';
import './styles/composer.css';
import './styles/images.css';
import './styles/transcript.css';
import './styles/message_area.css';
import './styles/empty_chat.css';
import './styles/markdown.css';
import './styles/cards.css';
import './styles/activity.css';
import './styles/results.css';
import './styles/lines.css';
import './styles/questions.css';
import './styles/approvals.css';
import './styles/views.css';
import './styles/screens.css';
import './styles/print.css';

const preferences = createPreferences();
const controller = createChatController(preferences, name => findView(name) !== undefined);
render(<ChatApp controller={controller} preferences={preferences} />, document.body.querySelector('#app') ?? document.body);
// After the first paint, so that the parts are there when the first answer comes, also when the gateway is away by then.
setTimeout(() => {
  void Promise.all([loadMarkdown(), loadToolDetails()]).catch(() => undefined);
  void import('./notices/notices').then(({ announceWork }) => announceWork(controller)).catch(() => undefined);
  void import('./offline/register_worker').then(({ registerWorker }) => registerWorker(controller.open)).catch(() => undefined);
});
