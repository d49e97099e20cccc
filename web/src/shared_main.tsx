import { render } from 'preact';
import { createPreferences } from './platform/preferences';
import { SharedPage } from './shared/shared_page';
import './styles/tokens.css';
import './styles/base.css';
import './styles/markdown.css';
import './shared/shared.css';

render(<SharedPage preferences={createPreferences()} />, document.body.querySelector('#app') ?? document.body);
