#include "server/descriptor_buffer.h"

#include <unistd.h>

#include <cerrno>

namespace gangpack::server {

DescriptorBuffer::DescriptorBuffer(int descriptor) : descriptor_(descriptor) {
  setp(bytes_.data(), bytes_.data() + bytes_.size());
}

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type character) {
  if (!WriteOut()) return traits_type::eof();
  if (!traits_type::eq_int_type(character, traits_type::eof())) {
    *pptr() = traits_type::to_char_type(character);
    pbump(1);
  }
  return traits_type::not_eof(character);
}

int DescriptorBuffer::sync() { return WriteOut() ? 0 : -1; }

bool DescriptorBuffer::WriteOut() {
  const char* at = pbase();
  while (error_ == 0 && at < pptr()) {
    const ssize_t count = write(descriptor_, at, static_cast<size_t>(pptr() - at));
    if (count >= 0) {
      at += count;
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  setp(bytes_.data(), bytes_.data() + bytes_.size());
  return error_ == 0;
}

}  // namespace gangpack::server
