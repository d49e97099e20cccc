import { describeModelAdapter } from '../../contract/model_contract';
import { googleWire } from '../../support/wires/google_wire';

describeModelAdapter(googleWire);
