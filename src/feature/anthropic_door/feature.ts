/** DOOR 7: agents as the models of Anthropic's Messages API, for its clients. */
import type { Feature } from '../../feature';
import { anthropicForm } from './anthropic_form';
import { MessagesController } from './message_routes';

export const anthropicDoor: Feature = {
  name: 'anthropic_door',
  routes: [MessagesController],
  doorPath: '/v1/messages',
  form: anthropicForm,
};
