import { createRestClient } from 'barline/client';

const rest = createRestClient({ url: 'http://127.0.0.1:5001', key: process.env.BARLINE_API_KEY ?? '' });
