/** DOOR 4, AG-UI: runs for front ends that speak the AG-UI protocol. */
import type { Feature } from '../../feature';
import { AguiController } from './routes';

export const aguiDoor: Feature = { name: 'agui_door', routes: [AguiController], doorPath: '/agui' };
