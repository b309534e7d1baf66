#include "tests/oracle/json_tree.h"

#include "server/json_escape.h"

namespace gangpack {

JsonTree::JsonTree(const k8s::Value& value) : kind_(value.kind()) {
  if (kind_ == k8s::ValueKind::kBool) text_ = value.bool_value() ? "true" : "false";
  if (kind_ == k8s::ValueKind::kNumber || kind_ == k8s::ValueKind::kString) {
    text_ = std::string(value.text());
  }
  for (const k8s::Value& item : value.items()) children_.push_back({"", JsonTree(item)});
  for (const k8s::Member& member : value.members()) {
    children_.push_back({std::string(member.key()), JsonTree(member.value)});
  }
}

JsonTree JsonTree::Object() {
  JsonTree tree;
  tree.kind_ = k8s::ValueKind::kMap;
  return tree;
}

JsonTree JsonTree::List() {
  JsonTree tree;
  tree.kind_ = k8s::ValueKind::kList;
  return tree;
}

JsonTree& JsonTree::operator[](absl::string_view key) {
  kind_ = k8s::ValueKind::kMap;
  for (JsonMember& member : children_) {
    if (member.key == key) return member.value;
  }
  children_.push_back({std::string(key), JsonTree()});
  return children_.back().value;
}

const JsonTree* JsonTree::Find(absl::string_view key) const {
  if (kind_ != k8s::ValueKind::kMap) return nullptr;
  for (const JsonMember& member : children_) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

JsonTree& JsonTree::Add(JsonTree item) {
  kind_ = k8s::ValueKind::kList;
  children_.push_back({"", std::move(item)});
  return children_.back().value;
}

size_t JsonTree::size() const { return children_.size(); }
const JsonTree& JsonTree::at(size_t index) const { return children_[index].value; }
JsonTree& JsonTree::at(size_t index) { return children_[index].value; }

void JsonTree::Erase(size_t index) {
  children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(index));
}

std::string JsonTree::ToString() const {
  std::string text;
  AppendTo(&text);
  return text;
}

void JsonTree::AppendTo(std::string* text) const {
  switch (kind_) {
    case k8s::ValueKind::kNull:
      text->append("null");
      return;
    case k8s::ValueKind::kBool:
    case k8s::ValueKind::kNumber:
      text->append(text_);
      return;
    case k8s::ValueKind::kString:
      server::AppendJsonString(*text, text_);
      return;
    case k8s::ValueKind::kList:
    case k8s::ValueKind::kMap:
      break;
  }
  const bool is_list = kind_ == k8s::ValueKind::kList;
  text->push_back(is_list ? '[' : '{');
  for (size_t i = 0; i < children_.size(); ++i) {
    if (i > 0) text->push_back(',');
    if (!is_list) {
      server::AppendJsonString(*text, children_[i].key);
      text->push_back(':');
    }
    children_[i].value.AppendTo(text);
  }
  text->push_back(is_list ? ']' : '}');
}

}  // namespace gangpack
