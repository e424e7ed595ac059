// expect: safe
//
// Bit-fields, unions and bytes keep their exact meaning.
#include <assert.h>
#include <nilas.h>

union header {
  unsigned char byte;
  struct { unsigned char version : 3, kind : 4, urgent : 1; } part;
};

int main(void) {
  union header header;
  header.byte = __VERIFIER_nondet_uchar();
  unsigned kind = header.part.kind;
  header.part.urgent = 1;
  assert((header.byte >> 3 & 15) == kind);
  assert(header.byte >= 128);
  return 0;
}
