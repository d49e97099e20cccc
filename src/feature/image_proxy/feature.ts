/** Images of other servers, which pages show through the gateway. */
import type { Feature } from '../../feature';
import { ImageProxy, type ImageProxyServices } from './image_proxy';
import { ImageProxyController } from './routes';

export const imageProxy: Feature = {
  name: 'image_proxy',
  routes: [ImageProxyController],
  install: ({ ports: { web } }) => ({ services: { imageProxy: new ImageProxy(web) } satisfies ImageProxyServices }),
};
