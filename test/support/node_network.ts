import type { NodeTransport } from '../../src/adapter/nodes/node_transport';

/** Nodes of one process that send texts to each other. A test may hold texts back or lose them. */
export class NodeNetwork {
  /** True: texts are lost. */
  isCut = false;
  /** The texts that were sent. */
  readonly sent: string[] = [];
  private readonly nodes = new Set<{ onText: (text: string) => void; onLoss: () => void }>();

  constructor(readonly maxBytes = 7_800) {}

  connect(): NodeTransport {
    let own: { onText: (text: string) => void; onLoss: () => void } | undefined;
    return {
      maxBytes: this.maxBytes,
      send: text => {
        this.sent.push(text);
        if (!this.isCut) for (const node of this.nodes) node.onText(text);
      },
      receive: (onText, onLoss) => {
        own = { onText, onLoss };
        this.nodes.add(own);
        queueMicrotask(onLoss);
      },
      close: async () => void (own && this.nodes.delete(own)),
    };
  }

  /** Ends the cut: every node hears that it may have missed texts. */
  heal(): void {
    this.isCut = false;
    for (const { onLoss } of this.nodes) onLoss();
  }
}
