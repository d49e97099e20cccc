import { render } from 'preact';
import { DemoPage } from './demo/demo_page';
import { createPreferences } from './platform/preferences';
import { ROOT } from './platform/root';
import './styles/tokens.css';
import './styles/base.css';
import './demo/demo.css';

// As on any other page: the script makes an element of each <neta-chat>.
const script = document.createElement('script');
script.src = `${ROOT}neta-chat.js`;
document.head.append(script);
render(<DemoPage preferences={createPreferences()} />, document.body.querySelector('#app') ?? document.body);
