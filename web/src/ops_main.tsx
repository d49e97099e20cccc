import { render } from 'preact';
import { OpsApp } from './ops/ops_app';
import { createOpsController } from './ops/shared/ops_controller';
import { createPreferences } from './platform/preferences';
import './styles/tokens.css';
import './styles/base.css';
import './styles/overlays.css';
import './styles/views.css';
import './components/list/view_parts.css';
import './ops/ops.css';
import './ops/parts/parts.css';
import './ops/parts/figures.css';
import './ops/parts/tables.css';

const preferences = createPreferences();
render(
  <OpsApp controller={createOpsController(preferences)} preferences={preferences} />,
  document.body.querySelector('#app') ?? document.body,
);
