export { type Facilitator, FacilitatorFault, HttpFacilitator } from './client.js';
