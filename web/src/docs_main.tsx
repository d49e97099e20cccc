import { render } from 'preact';
import { DocsApp } from './docs/docs_app';
import { createPreferences } from './platform/preferences';
import './styles/tokens.css';
import './styles/base.css';
import './styles/markdown.css';
import './styles/docs.css';
import './styles/api.css';
import './styles/api_operation.css';

render(<DocsApp preferences={createPreferences()} />, document.body.querySelector('#app') ?? document.body);
