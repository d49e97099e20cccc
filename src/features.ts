/** The features of the gateway. Without its line here, a feature is not there: the gateway starts and works without it. */
import type { Feature } from './feature';
import { aguiDoor } from './feature/agui_door/feature';

export const FEATURES: readonly Feature[] = [aguiDoor];
