import { render } from 'preact';
import { createChatController } from './chat/chat_controller';
import { ChatApp } from './components/chat_app';
import { createPreferences } from './platform/preferences';
import './styles/tokens.css';
import './styles/base.css';
import './styles/overlays.css';
import './styles/layout.css';
import './styles/sessions.css';
import './styles/composer.css';
import './styles/images.css';
import './styles/transcript.css';
import './styles/markdown.css';
import './styles/cards.css';
import './styles/lines.css';
import './styles/questions.css';
import './styles/views.css';
import './styles/screens.css';
import './styles/print.css';

const preferences = createPreferences();
render(
  <ChatApp controller={createChatController(preferences)} preferences={preferences} />,
  document.body.querySelector('#app') ?? document.body,
);
