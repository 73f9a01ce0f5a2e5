import { z } from 'zod';

// The page's policy forbids compiled code; without this zod would try once and be reported. It must be set
// before any schema is made, so this module is imported first.
z.config({ jitless: true });
