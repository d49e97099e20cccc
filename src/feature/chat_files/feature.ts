/** Chats as files: export for people and programs, import from other programs. */
import type { Feature } from '../../feature';
import { ChatExporter } from './chat_exporter';
import { type ChatFileServices, ChatImporter } from './chat_importer';
import { ChatFilesController } from './routes';

export const chatFiles: Feature = {
  name: 'chat_files',
  routes: [ChatFilesController],
  install({ ports: { cpuTasks, clock }, sessionService }) {
    const services = { chatExporter: new ChatExporter({ clock }), chatImporter: new ChatImporter({ cpuTasks, sessionService }) };
    return { services: services satisfies ChatFileServices };
  },
};
