/** DOOR 8, A2A 1.0: agents of other makers send messages, and runs are their tasks. */
import type { Feature } from '../../feature';
import { a2aForm } from './a2a_errors';
import { A2aCardController, A2aController } from './routes';

export const a2aDoor: Feature = { name: 'a2a_door', routes: [A2aCardController, A2aController], doorPath: '/a2a', form: a2aForm };
