#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <nettle/sha1.h>
